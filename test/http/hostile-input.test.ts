/** Random requests against the whole service in a process of its own: it blames them, and lives on. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { ServiceProcess } from "../service-process.ts";
import { hostileRequest, mutated, syncBody } from "./hostile-requests.ts";
import { startTarget, type Target } from "./hostile-target.ts";
import { assertHonest, exchange, type RawRequest, requestBytes } from "./raw-http.ts";

const MAX_GROWTH = 150 * 1024 * 1024;
const BATCH = 25;

/** Addresses that the API's description leaves out. */
const UNDESCRIBED = [
  ["POST", "/e/{key}"],
  ["POST", "/e"],
  ["POST", "/fn/register"],
  ["POST", "/v1/checkpoint/{run}/async"],
  ["POST", "/v1/checkpoint/{run}/steps"],
  ["GET", "/v0/runs/{run}/actions"],
  ["GET", "/v0/runs/{run}/batch"],
  ["GET", "/v1/realtime/{rest}"],
  ["POST", "/v1/signals"],
  ["GET", "/dev"],
  ["GET", "/health"],
  ["GET", "/ready"],
  ["GET", "/metrics"],
  ["GET", "/{anything}"],
].map(([method, path]) => ({ method: method!, path: path! }));

async function routesOf(service: ServiceProcess) {
  const { paths } = await service.api<{ paths: Record<string, object> }>("/v1/openapi.json");
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  return [...described, ...UNDESCRIBED];
}

for (const mode of ["dev", "start"] as const) {
  describe(`svc ${mode}`, () => {
    let target: Target;
    before(async () => {
      target = await startTarget(mode);
    });
    after(() => target.close());

    const batches = mode === "dev" ? 200 : 100;
    test(`${batches * BATCH} random requests get honest answers, and cost no memory that stays`, async (t) => {
      const routes = await routesOf(target.service);
      const tally: Record<string, number> = {};
      const ask = async (hostile: RawRequest) => {
        const headers = { authorization: target.credentials(hostile.target), ...hostile.headers };
        const answers = await exchange(target.service.port, requestBytes({ ...hostile, headers }));
        assert.equal(answers.length, 1, JSON.stringify(hostile).slice(0, 2_000));
        try {
          assertHonest(answers[0]!, hostile.method);
        } catch (error) {
          const shown = { ...hostile, body: hostile.body.toString("latin1").slice(0, 2_000) };
          throw new Error(`${JSON.stringify(shown)}\n${(error as Error).message}`);
        }
        tally[answers[0]!.status] = (tally[answers[0]!.status] ?? 0) + 1;
      };
      const batch = fc.array(hostileRequest(routes), { minLength: BATCH, maxLength: BATCH });
      const run = (numRuns: number) =>
        fc.assert(
          fc.asyncProperty(batch, async (requests) => {
            await Promise.all(requests.map(ask));
          }),
          { numRuns, endOnFailure: true },
        );
      await run(batches / 10);
      const before = await target.service.memory();
      await target.healthy(() => run(batches));
      await target.service.eventually(async () => {
        const growth = (await target.service.memory()) - before;
        assert.ok(growth < MAX_GROWTH, `${Math.round(growth / 1024 / 1024)} MiB more than before`);
      });
      t.diagnostic(JSON.stringify(tally));
      // A fuzzer that gets nothing accepted tests only the first check.
      assert.ok((tally[200] ?? 0) > (BATCH * batches) / 50);
      await target.worksStill();
    });

    test("a real sync with anything changed in it is taken or refused, and never half", async (t) => {
      const tally: Record<string, number> = {};
      await target.healthy(() =>
        fc.assert(
          fc.asyncProperty(mutated(syncBody()), async (body) => {
            const answer = await target.post("/fn/register", body);
            tally[answer.status] = (tally[answer.status] ?? 0) + 1;
            if (answer.status !== 200) return;
            // What was taken can be read, and the registry and the store agree on it.
            const { app_id: id } = JSON.parse(answer.body) as { app_id: string };
            const removed = await target.send({
              method: "DELETE",
              target: `/v1/apps/${encodeURIComponent(id)}`,
              headers: { authorization: target.credentials("") },
            });
            assert.equal(removed.status, 204, `${JSON.stringify(id)}: ${removed.body}`);
          }),
          { numRuns: 300 },
        ),
      );
      t.diagnostic(JSON.stringify(tally));
      await target.worksStill();
    });
  });
}
