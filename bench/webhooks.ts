/** Webhooks as the benchmarks use them: made over the API, counted by their outcomes. */
import { API_TOKEN, type Service } from "./processes.ts";

export interface BenchWebhook {
  id: string;
  /** What its producer posts to. */
  path: string;
}

/** Picks and renames fields, as most transforms do. */
export const PICKING_TRANSFORM = `function transform(evt, headers) {
  const { order, customer } = evt;
  return {
    name: "shop/" + evt.topic.replace("/", "."),
    data: {
      order_id: order.id,
      total: Number(order.total_price),
      currency: order.currency,
      email: customer.email.toLowerCase(),
      items: order.line_items.map(({ sku, quantity }) => ({ sku, quantity })),
      agent: headers["User-Agent"],
    },
  };
}`;

/** Never comes back by itself. */
export const SPINNING_TRANSFORM = "function transform() { for (;;); }";

/**
 * A producer's request body of about so many bytes.
 * @example pickedBody(512)
 */
export function pickedBody(bytes: number): string {
  const order = {
    id: "o_81723",
    total_price: "129.90",
    currency: "EUR",
    line_items: [
      { sku: "a-1", quantity: 2, price: "44.95" },
      { sku: "b-7", quantity: 1, price: "40.00" },
    ],
  };
  const customer = { id: "c_5512", email: "Ada.Lovelace@example.com", locale: "en-GB" };
  const body = { topic: "orders/created", order, customer, attributes: [] as object[] };
  // What grows a request is fields, not one long text.
  for (let n = 0; JSON.stringify(body).length + 40 < bytes; n++) {
    body.attributes.push({ name: `attribute_${n}`, value: n * 17 });
  }
  return JSON.stringify(body);
}

export async function createWebhook(svc: Service, name: string, transform: string): Promise<BenchWebhook> {
  const { data } = await call<{ data: { id: string; url: string } }>(svc, "POST", "/v1/webhooks", {
    name,
    transform,
  });
  return { id: data.id, path: new URL(data.url).pathname };
}

/** Requests of the last day by outcome. */
export async function outcomes(svc: Service, { id }: BenchWebhook): Promise<Record<string, number>> {
  const { data } = await call<{ data: { requests_24h: Record<string, number> } }>(
    svc,
    "GET",
    `/v1/webhooks/${id}`,
  );
  return data.requests_24h;
}

async function call<T>(svc: Service, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(svc.url + path, {
    method,
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
