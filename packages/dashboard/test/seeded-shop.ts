/**
 * A production service as a shop has it on a working day, for looking at: six hours of visitors, payments, webhooks of
 * every outcome, and orders with failures, retries and runs that sleep; at last a report of hundreds of steps and a run that
 * goes on. The clock of this process begins in the past and runs fast until everything is in.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, NonRetriableError } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { type Office, startOffice } from "./office.ts";

export interface SeededShop {
  office: Office;
  /** Ids of runs and events worth a look. */
  runs: { failed: string; retried: string; sleeping: string; running: string; long: string; huge: string };
  events: { order: string; webhook: string };
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** How far back it begins, and in which steps its clock goes on. */
const PAST_MS = 6 * HOUR_MS;
const STEP_MS = 3 * 60_000;
/** Steps of the clock from some orders to the next. */
const ORDER_STEPS = 4;
/** One order in so many is not picked up before tomorrow. */
const SLEEPERS = 10;
const CITIES = ["Bern", "Basel", "Chur", "Genève", "Zürich"];
const PEOPLE = ["ada", "grace", "edsger", "barbara", "donald"];
const ITEMS = [
  { sku: "MUG-01", name: "Mug", price: 19.5 },
  { sku: "TEE-07", name: "T-shirt", price: 35 },
  { sku: "CAP-02", name: "Cap", price: 24.9 },
];

/** Start it, live through its day, and find what is worth a look. */
export async function startSeededShop(): Promise<SeededShop> {
  let behindMs = PAST_MS;
  // The app and the service are in this process, and must agree on the time: signatures carry it.
  const now = Date.now;
  Date.now = () => now() - behindMs;
  // Apps tell of their steps by this clock.
  const { timeOrigin } = performance;
  Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin - behindMs, configurable: true });
  const endHaste = hastenLongWaits();
  const office = await startOffice(["--retry-base", "30ms"]);
  const { ada } = office;
  await office.join("member", "Bob");
  await office.join("viewer", "Vera");
  await ada("POST", "/v1/environments", { name: "staging", type: "named" });
  await ada("POST", "/v1/environments", { name: "feature/checkout", type: "branch" });
  const signing = (await ada("POST", "/v1/signing-keys", { name: "shop" })).data;
  const key = (await ada("POST", "/v1/event-keys", { name: "back office" })).data;
  const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return (await answer.json().catch(() => ({}))) as { ids?: string[] };
  };
  const send = async (name: string, data: unknown) =>
    (await post(`${office.url}/e/${key.secret}`, { name, data })).ids![0]!;
  const hooks = await makeWebhooks(ada);
  const app = await startShopApp({ baseUrl: office.url, signingKey: signing.secret, eventKey: key.secret });
  await ada("POST", "/v1/apps", { url: app.url });

  /** The newest run that fits, or none when there shall be none; waits for that. */
  const find = async (query: string, wanted = true): Promise<string> => {
    for (let tries = 0; ; tries++) {
      const run = (await ada("GET", `/v1/runs?limit=1&${query}`)).data[0];
      if ((run !== undefined) === wanted) return run?.id ?? "";
      if (tries > 1_000) throw new Error(`waited in vain for ${wanted ? "a" : "no"} run with ${query}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  /** The clock goes on only when nothing but sleepers runs: a run that waits through a step would seem to be slow. */
  const settled = async (sleepers: number) => {
    await find("status=queued", false);
    for (let tries = 0; ; tries++) {
      if ((await ada("GET", "/v1/runs?limit=100&status=running")).data.length <= sleepers) return;
      if (tries > 1_000) throw new Error("runs do not end");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  /** What producers send: accepted, twice, unwanted, ignored, broken. @returns the id of the event of a payment */
  const postWebhooks = async (i: number): Promise<string | undefined> => {
    if (i % 7 === 2) {
      const body = { action: "opened", number: i, repository: { full_name: "shop/site" } };
      await post(hooks.github, body, { "x-github-event": "pull_request", "x-github-delivery": `d-${i}` });
    }
    if (i % 5 === 4) {
      const action = ["created", "debug", "ping", "broken"][Math.floor(i / 5) % 4];
      await post(hooks.orders, { action, ...(action !== "broken" && { order: { id: i } }) });
    }
    if (i === 50) await post(hooks.branches, { action: "created", order: { id: 1 } });
    if (i % 4 !== 0) return undefined;
    const charge = { id: `ch_${4_000 + i}`, amount: 1_950 + i, currency: "chf" };
    const body = {
      id: `evt_${i}`,
      type: "charge.succeeded",
      created: Math.floor(Date.now() / 1_000),
      data: { object: charge },
    };
    const { ids } = await post(hooks.stripe, body);
    if (i % 12 === 0) await post(hooks.stripe, body);
    return ids?.[0];
  };
  let webhook = "";
  let [order, orders] = ["", 0];
  for (let i = 0; behindMs > 0; i++, behindMs = Math.max(0, behindMs - STEP_MS)) {
    const visits = Array.from({ length: 14 + Math.round(11 * Math.sin(i / 9)) }, (_, n) => ({
      name: "shop/page.viewed",
      data: { path: `/items/${ITEMS[n % 3]!.sku}` },
    }));
    await post(`${office.url}/e/${key.secret}`, visits);
    if (i % 3 === 0) await send("shop/cart.abandoned", { cart: `C-${i}`, minutes: 30 + (i % 50) });
    webhook = (await postWebhooks(i)) ?? webhook;
    if (i % ORDER_STEPS !== 0) continue;
    for (let n = 1 + ((i / ORDER_STEPS) % 3); n > 0; n--)
      order = await send("shop/order.created", orderData(orders++));
    await settled(Math.ceil(orders / SLEEPERS));
  }
  Date.now = now;
  endHaste();
  await send("shop/catalogue.changed", { items: 400 });
  for (let n = 0; n < 3; n++) order = await send("shop/order.created", orderData(orders++));
  await send("shop/report.due", { month: "2026-10" });
  await send("shop/import.started", { source: "warehouse" });
  await settled(Math.ceil(orders / SLEEPERS) + 1);
  return {
    office,
    runs: {
      failed: await find("function=shop-charge&status=failed"),
      retried: await find("function=shop-greet&status=completed"),
      sleeping: await find("function=shop-ship&status=running"),
      running: await find("function=shop-import&status=running"),
      long: await find("function=shop-report&status=completed"),
      huge: await find("function=shop-reindex&status=completed"),
    },
    events: { order, webhook },
    async close() {
      app.close();
      await office.close();
    },
  };
}

/** A clock that runs fast: what waits for minutes of it, such as the service's look for what is due, waits for moments. */
function hastenLongWaits(): () => void {
  const wait = globalThis.setTimeout;
  const LONG_MS = 10_000;
  const haste = (callback: () => void, ms = 0, ...rest: []) =>
    wait(callback, ms >= LONG_MS ? ms / 1_000 : ms, ...rest);
  globalThis.setTimeout = Object.assign(haste, wait) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = wait;
  };
}

async function makeWebhooks(ada: Office["ada"]) {
  const create = async (body: object) => (await ada("POST", "/v1/webhooks", body)).data.url as string;
  const transform = [
    "function transform(evt) {",
    '  if (evt.action === "ping") return null;',
    '  return { name: "market/order." + evt.action, id: "hook-" + evt.order.id, data: evt.order };',
    "}",
  ].join("\n");
  return {
    stripe: await create({ name: "Stripe", starter: "stripe" }),
    github: await create({ name: "GitHub", starter: "github" }),
    orders: await create({
      name: "Marketplace orders",
      transform,
      event_filter: { allow: [], deny: ["market/order.debug"] },
    }),
    branches: await create({ name: "Previews", environment: "branches", transform }),
  };
}

/** The shop's functions: they take every way that a run can take. */
async function startShopApp(at: { baseUrl: string; signingKey: string; eventKey: string }) {
  // Its lines are for the dashboard; on the console they would only be in the way.
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const client = new Client({ id: "shop", ...at, logger });
  const created = { event: "shop/order.created" };
  const tried = new Set<string>();
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const functions = [
    client.createFunction(
      { id: "ship", name: "Ship the order" },
      created,
      async ({ event, step, logger }) => {
        const { order_id, items } = event.data;
        logger.info(`order ${order_id} of ${items.length} items`);
        await step.run("reserve stock", () => {
          logger.debug("asking the warehouse", {
            city: event.data.customer.city,
            skus: items.map((item: { sku: string }) => item.sku),
          });
          return { warehouse: "Basel", order_id };
        });
        const label = await step.run("print label", () => `LABEL-${order_id}`);
        logger.info(`label ${label} is printed, waiting for the pickup`);
        await step.sleep("wait for pickup", Number(order_id.slice(2)) % SLEEPERS === 0 ? "1d" : "20ms");
        await step.sendEvent("tell", { name: "shop/order.shipped", data: { order_id, label } });
        return { label };
      },
    ),
    client.createFunction(
      { id: "charge", name: "Charge the card", retries: 0 },
      created,
      async ({ event, step, logger }) => {
        await step.run("authorise", async () => pause(3));
        return step.run("charge card", () => {
          logger.info("charging the card", { total: event.data.total, currency: "CHF" });
          if (Number(event.data.order_id.slice(2)) % 17 === 0) {
            logger.error(
              "the bank says no:",
              new Error("do_not_honor: the issuer has declined this payment"),
            );
            throw new NonRetriableError("The card was declined.");
          }
          return { charged: event.data.total };
        });
      },
    ),
    client.createFunction(
      { id: "greet", name: "Thank the customer", retries: 3 },
      created,
      async ({ event, step, runId, logger }) => {
        await step.run("send mail", () => {
          logger.debug(`connecting to smtp.example.com for ${event.data.customer.email}`);
          if (!tried.has(runId)) {
            tried.add(runId);
            logger.warn("the mail server is busy and will be asked again");
            throw new Error(`smtp.example.com answered 421 to ${event.data.customer.email}`);
          }
          return { sent: true };
        });
      },
    ),
    client.createFunction(
      { id: "report", name: "Monthly report" },
      { event: "shop/report.due" },
      async ({ step, logger }) => {
        for (let page = 1; page <= 40; page++) {
          await step.run(`page ${page}`, async () => {
            for (let row = 0; row < 8; row++) logger.debug(`row ${row}`, { page, sum: page * 100 + row });
            await pause(page % 7);
            if (page % 9 === 0)
              logger.warn(`page ${page} has gaps:\n  no figures of Chur\n  no figures of Bern`);
          });
        }
        logger.info("40 pages are done");
        return { pages: 40 };
      },
    ),
    client.createFunction(
      { id: "reindex", name: "Index the catalogue" },
      { event: "shop/catalogue.changed" },
      async ({ event, step }) => {
        for (let item = 1; item <= event.data.items; item++)
          await step.run(`index item ${item}`, async () => pause(item % 3));
      },
    ),
    client.createFunction(
      { id: "import", name: "Import the stock" },
      { event: "shop/import.started" },
      async ({ step, logger }) => {
        await step.run("download", async () => {
          logger.info("downloading stock.csv");
          await pause(20);
        });
        await step.run("read rows", () => new Promise<void>(() => {}));
      },
    ),
  ];
  const server = createServer(serve({ client, functions }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/svc`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function orderData(i: number) {
  const who = PEOPLE[i % PEOPLE.length]!;
  const items = [ITEMS[i % 3]!, ITEMS[(i * 2 + 1) % 3]!].map((item, at) => ({
    ...item,
    quantity: 1 + ((i + at) % 3),
  }));
  return {
    order_id: `A-${1_000 + i}`,
    customer: { email: `${who}@example.com`, city: CITIES[i % CITIES.length] },
    items,
    total: Number(items.reduce((sum, { price, quantity }) => sum + price * quantity, 0).toFixed(2)),
    gift: i % 5 === 0,
    note: i % 7 === 0 ? "Please ring twice." : null,
  };
}
