import { Client } from "@svc/sdk";

export const client = new Client({ id: "webhooks" });
