import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, NOON, readAll, startTestService } from "./test-service.ts";

test("pages of events stay in step while more come in", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  // Several in one millisecond, so that the order within it counts too.
  const events = Array.from({ length: 45 }, (_, i) => ({
    name: i % 3 === 0 ? "order/placed" : "user/joined",
    data: { i },
    at: NOON + Math.floor(i / 10),
  }));
  const seeded = await service.seed(events);
  for (const filter of [
    "",
    "&name=order/placed",
    "&name=*",
    "&q=%22i%22",
    "&source=key&name=user/*,order/*",
  ]) {
    const wanted = events.filter(
      ({ name }) => filter !== "&name=order/placed" || name === "order/placed",
    ).length;
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `limit=7${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body }: { body: Json } = await service.get(`/v1/events?${query}`);
      seen.push(...body.data.map((event: Json) => event.id));
      cursor = body.page.cursor;
      await service.seed([{ name: "order/placed", data: { i: -1 } }]);
    }
    const known = new Set(seeded.map(({ event }) => event));
    const old = seen.filter((id) => known.has(id));
    assert.equal(new Set(seen).size, seen.length, `${filter}: none twice`);
    assert.equal(old.length, wanted, `${filter}: none left out`);
  }
});

test("a page of large events ends before it is too large, and the next goes on", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await service.seed(
    Array.from({ length: 12 }, (_, i) => ({
      data: { i, text: "x".repeat(500_000) },
      runs: ["shop-confirm"],
    })),
  );
  const { body } = await service.get("/v1/events?limit=200");
  assert.equal(body.data.length, 8);
  assert.equal(body.page.has_more, true);
  const all = await readAll(service, "/v1/events?limit=200");
  assert.deepEqual(
    all.map((event) => event.data.i),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  );
  // Nothing of a summary is large, so its page is whole.
  const summaries = await service.get("/v1/events?limit=200&fields=summary");
  assert.deepEqual(
    summaries.body.data.map((row: Json) => [row.id, row.size_bytes, row.run_count]),
    all.map(({ id }) => [id, Buffer.byteLength(JSON.stringify(all.find((each) => each.id === id).data)), 1]),
  );
  assert.equal(summaries.body.page.has_more, false);
});

test("pages of runs stay in step while more come in", async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const seeded = await service.seed(
    Array.from({ length: 20 }, () => ({ runs: ["shop-confirm", "shop-audit"] })),
  );
  for (const [filter, wanted] of [
    ["", 40],
    ["&function=shop-audit", 20],
    ["&status=queued,failed&app=shop", 40],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `limit=7${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body }: { body: Json } = await service.get(`/v1/runs?${query}`);
      seen.push(...body.data.map((run: Json) => run.id));
      cursor = body.page.cursor;
      await service.seed([{ runs: ["shop-audit"] }]);
    }
    const known = new Set(seeded.flatMap(({ runs }) => runs));
    assert.equal(new Set(seen).size, seen.length, `${filter}: none twice`);
    assert.equal(seen.filter((id) => known.has(id)).length, wanted, `${filter}: none left out`);
  }
});
