import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "./sandbox.ts";

const input = { evt: "{}", headers: "{}", queryParams: "{}", raw: "" };
const good = { webhookId: "good", version: 1, source: "function transform() { return 1 }", ...input };
const spinning = { webhookId: "hostile", version: 1, source: "function transform() { for (;;); }", ...input };

test("others go on while the first requests of a webhook that never ends are at work", async (t) => {
  const sandbox = createSandbox({ deadlineMs: 3_000 });
  t.after(() => sandbox.close());
  await sandbox.run(good);

  const ended: string[] = [];
  const first = sandbox.run(spinning).then(() => ended.push("the first spinning call"));
  const further = [1, 2, 3].map(() => sandbox.run(spinning).catch(() => {}));
  // Behind it in the same thread at first.
  const calls = Array.from({ length: 10 }, () => sandbox.run(good).then(() => ended.push("good")));
  await Promise.all(calls);
  await sandbox.run(good).then(() => ended.push("good"));
  await first;
  assert.equal(ended.at(-1), "the first spinning call");
  await sandbox.close();
  await Promise.all(further);
});
