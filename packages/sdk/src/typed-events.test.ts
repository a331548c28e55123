/** Types are checked by tsc over this file: each `@ts-expect-error` must be an error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { startMiniService } from "../test/mini-service.ts";
import { Client, eventType, type Jsonify, type StandardSchema, type StepTools } from "./index.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sameType = <A, B>(_same: Equal<A, B>): void => {};

const schemas = {
  "shop/order.created": z.object({ orderId: z.string(), total: z.number().default(0) }),
  "shop/order.paid": z.object({ paidAt: z.number() }),
};

test("send() checks data against its schema, fills in defaults and names what is wrong", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const client = new Client({ id: "app", baseUrl: service.url, eventKey: "k", schemas });
  await client.send({ name: "shop/order.created", data: { orderId: "1" } });
  assert.deepEqual(service.sends[0]!.events[0]!.data, { orderId: "1", total: 0 });
  await assert.rejects(
    client.send([
      { name: "shop/order.paid", data: { paidAt: 1 } },
      // @ts-expect-error orderId must be a string
      { name: "shop/order.created", data: { orderId: 1 } },
    ]),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, "event_data_invalid");
      assert.match(error.message, /^Event 1 \(shop\/order\.created\) does not fit its schema: orderId: /);
      return true;
    },
  );
  assert.equal(service.sends.length, 1);
});

test("a schema that validates asynchronously is awaited", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const late: StandardSchema<{ n: number }> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async () => ({ issues: [{ message: "never", path: [{ key: "n" }] }] }),
    },
  };
  const client = new Client({ id: "app", baseUrl: service.url, eventKey: "k", schemas: { late } });
  await assert.rejects(client.send({ name: "late", data: { n: 1 } }), /Event 0 \(late\).*n: never/);
});

test("types flow from schemas into send(), handlers, onFailure and sendEvent", () => {
  const client = new Client({ id: "app", isDev: true, schemas });
  const refused = (): void => {
    // @ts-expect-error there is no schema for that event
    void client.send({ name: "shop/unknown", data: {} });
    // @ts-expect-error data is missing
    void client.send({ name: "shop/order.paid" });
    void client.send({ name: "shop/order.paid", data: { paidAt: 1 }, id: "own", ts: 1 });
  };
  assert.equal(typeof refused, "function");

  client.createFunction(
    {
      id: "one",
      onFailure: ({ originalEvent, error }) => {
        sameType<typeof originalEvent.data, { orderId: string; total: number }>(true);
        sameType<typeof error, Error>(true);
      },
    },
    { event: "shop/order.created" },
    async ({ event, events, step }) => {
      sameType<typeof event.data, { orderId: string; total: number }>(true);
      sameType<typeof event.name, "shop/order.created">(true);
      sameType<typeof events, (typeof event)[]>(true);
      await step.sendEvent("paid", { name: "shop/order.paid", data: { paidAt: 1 } });
      // @ts-expect-error paidAt must be a number
      await step.sendEvent("paid", { name: "shop/order.paid", data: { paidAt: "now" } });
    },
  );
  client.createFunction({ id: "two" }, ["shop/order.created", { event: "shop/order.paid" }], ({ event }) => {
    if (event.name === "shop/order.paid") sameType<typeof event.data, { paidAt: number }>(true);
    // @ts-expect-error only one of the two events has it
    return event.data.paidAt;
  });
  client.createFunction({ id: "three" }, "shop/*", ({ event }) => event.data.anything);
});

test("eventType() gives a handler its types without schemas on the client", () => {
  const client = new Client({ id: "app", isDev: true });
  const created = eventType("shop/order.created", z.object({ orderId: z.string() }));
  const fn = client.createFunction({ id: "f" }, created, ({ event }) => {
    sameType<typeof event.data, { orderId: string }>(true);
  });
  assert.deepEqual(fn.triggers, [{ event: "shop/order.created" }]);
  client.createFunction({ id: "g" }, "any/event", ({ event }) => event.data.whatever);
  assert.equal(typeof (() => client.send({ name: "any/event", data: { a: 1 } })), "function");
});

test("a step's result has the type that a replay reads back", () => {
  sameType<Jsonify<Date>, string>(true);
  sameType<Jsonify<undefined>, null>(true);
  sameType<Jsonify<{ at: Date; run: () => void; list: Date[] }>, { at: string; list: string[] }>(true);
  const check = async (step: StepTools): Promise<void> => {
    const user = await step.run("load", async () => ({ id: 1, since: new Date() }));
    sameType<typeof user, { id: number; since: string }>(true);
    const sum = await step.run("add", (a: number, b: number) => a + b, 1, 2);
    sameType<typeof sum, number>(true);
    // @ts-expect-error the second argument must be a number
    await step.run("add", (a: number, b: number) => a + b, 1, "2");
    // @ts-expect-error a step needs a function
    await step.run("nothing");
  };
  assert.equal(typeof check, "function");
});
