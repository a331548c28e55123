import { interoperates } from "./inngest-clients.ts";

interoperates({ version: "v3", mode: "dev", checkpointing: false });
interoperates({ version: "v3", mode: "start", checkpointing: false });
