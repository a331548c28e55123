/** A real service with a real app: an event that starts nothing, one that starts two functions, one whose run fails. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, NonRetriableError } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { startService, type TestService } from "../../../test/service.ts";

export interface Shop {
  service: TestService;
  /** Send one event. @returns its id */
  send(event: { name: string; data?: unknown; id?: string; user?: unknown }): Promise<string>;
  sendMany(events: { name: string; data?: unknown }[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Start both on free ports, and have the app synced. */
export async function startShop(flags: string[] = []): Promise<Shop> {
  const service = await startService("dev", flags);
  const client = new Client({ id: "shop", baseUrl: service.url, isDev: true });
  const confirm = client.createFunction(
    { id: "confirm", name: "Confirm an order" },
    { event: "order/placed" },
    async ({ event, step }) => {
      await step.run("reserve", () => ({ reserved: true }));
      return { confirmed: event.data };
    },
  );
  const audit = client.createFunction(
    { id: "audit", name: "Audit" },
    { event: "order/placed" },
    () => "noted",
  );
  const charge = client.createFunction(
    { id: "charge", name: "Charge a card", retries: 0 },
    { event: "order/paid" },
    () => {
      throw new NonRetriableError("the card was declined");
    },
  );
  const app = createServer(serve({ client, functions: [confirm, audit, charge] }));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/svc`;
  await post(`${service.url}/v1/apps`, { url });
  const sendMany = async (events: { name: string; data?: unknown }[]) => {
    const whole = events.map((event) => ({ data: {}, ...event }));
    return ((await post(`${service.url}/e/dev`, whole)) as { ids: string[] }).ids;
  };
  return {
    service,
    sendMany,
    send: async (event) => (await sendMany([event]))[0]!,
    async close() {
      app.closeAllConnections();
      app.close();
      await service.close();
    },
  };
}

async function post(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
