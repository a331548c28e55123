/** A real service with webhooks, versions of their transforms, and requests of every outcome. */
import { API_TOKEN, startService, type TestService } from "../../../test/service.ts";

/** Parsed JSON of an answer, whatever its shape. */
type Json = ReturnType<typeof JSON.parse>;

export interface Hook {
  id: string;
  name: string;
  url: string;
  version: number;
  transform: string;
}

export interface Hooks {
  service: TestService;
  /** Call the API. @throws Error when it refuses */
  call(method: string, path: string, body?: unknown): Promise<Json>;
  create(body: Record<string, unknown>): Promise<Hook>;
  /** Send a request to a webhook, as a producer does. @returns the answer's status */
  post(hook: Pick<Hook, "url">, body: unknown, query?: string): Promise<number>;
}

/** By the action of an order, and with mistakes that requests can run into. */
export const SHOP_TRANSFORM = `function transform(evt, headers, queryParams, raw) {
  console.log("action", evt.action);
  if (evt.action === "ping") return null;
  return {
    name: "shop/order." + evt.action,
    id: "order-" + evt.order.id,
    data: evt.order,
  };
}
`;

/** @param mode \`start\` has branches and permissions, and asks for a token */
export async function startHooks(mode: "dev" | "start" = "dev"): Promise<Hooks> {
  const service = await startService(mode, mode === "start" ? ["--event-key", "dashboard-event-key"] : []);
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    service,
    call,
    create: async (body) => (await call("POST", "/v1/webhooks", body)).data,
    async post(hook, body, query = "") {
      const answer = await fetch(hook.url + query, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
  };
}

/** A shop's webhook with requests that were accepted, doubled, ignored and that failed. */
export async function shopHook(hooks: Hooks, name = "Shop orders"): Promise<Hook> {
  const hook = await hooks.create({ name, transform: SHOP_TRANSFORM });
  const order = (id: string) => ({ action: "created", order: { id, city: "Bern", total: 19.5 } });
  await hooks.post(hook, order(`${name} 1`));
  await hooks.post(hook, order(`${name} 2`));
  await hooks.post(hook, order(`${name} 2`));
  await hooks.post(hook, { action: "ping" });
  await hooks.post(hook, { action: "broken" });
  return hook;
}
