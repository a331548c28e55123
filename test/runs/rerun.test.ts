/** Repeating a run from one of its steps on, with a real app: what is kept is not run again, the rest is. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { Client, NonRetriableError } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { type ApiRun, startService, type TestService } from "../service.ts";

interface Story extends ApiRun {
  rerun_of: string | null;
  kept_steps: number;
  steps: (ApiRun["steps"][number] & { kept: boolean; attempts: unknown[] })[];
}

for (const checkpointing of [true, false]) {
  describe(`a rerun, checkpointing ${checkpointing ? "on" : "off"}`, () => {
    let service: TestService;
    let app: Server;
    let client: Client;
    /** Steps in the order in which they were run. */
    let ran: string[] = [];
    /** What is wrong in the app at present. */
    let broken = "";

    before(async () => {
      service = await startService("dev", ["--retry-base", "5ms"]);
      client = new Client({ id: "shop", baseUrl: service.url, isDev: true, checkpointing });
      const note = <T>(name: string, value: T) => {
        ran.push(name);
        if (broken === name) throw new NonRetriableError(`${name} is broken`);
        return value;
      };
      const ship = client.createFunction(
        { id: "ship", retries: 1 },
        { event: "t/ship" },
        async ({ step }) => {
          const paid = await step.run("charge", () => note("charge", 10));
          await step.sleep("wait", "5ms");
          const [left, right] = await Promise.all([
            step.run("pick", () => note("pick", 20)),
            step.run("label", () => note("label", 30)),
          ]);
          const warned = await step.run("warn", () => note("warn", 1)).catch(() => 0);
          const sent = await step.run("send", () => note("send", 40));
          if (broken === "the end") throw new NonRetriableError("the end is broken");
          return paid + left + right + warned + sent;
        },
      );
      app = createServer(serve({ client, functions: [ship] }));
      await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/svc`;
      assert.equal((await post("/v1/apps", { url })).status, 200);
    });
    after(async () => {
      app.closeAllConnections();
      app.close();
      await service.close();
    });
    beforeEach(() => {
      [ran, broken] = [[], ""];
    });

    const post = async (path: string, body: unknown) => {
      const response = await fetch(service.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as { data: { id: string } } };
    };
    const start = async () => {
      const { ids } = await client.send({ name: "t/ship", data: {} });
      return (await service.finishedRun(ids[0]!)) as Story;
    };
    const rerun = async (old: Story, body: object) => {
      ran = [];
      const answer = await post(`/v1/runs/${old.id}/rerun`, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      let story!: Story;
      await service.eventually(async () => {
        story = (await service.api<{ data: Story }>(`/v1/runs/${answer.body.data.id}`)).data;
        assert.ok(story.status === "completed" || story.status === "failed", story.status);
      });
      assert.equal(story.rerun_of, old.id);
      assert.equal(story.kept_steps, story.steps.filter(({ kept }) => kept).length);
      return story;
    };
    const idOf = (run: Story, name: string) => run.steps.find((step) => step.name === name)!.id;

    test("from its start runs every step again", async () => {
      const old = await start();
      const again = await rerun(old, {});
      assert.deepEqual([again.status, again.output, again.kept_steps], ["completed", 101, 0]);
      assert.deepEqual(ran.toSorted(), ["charge", "label", "pick", "send", "warn"]);
    });

    test("from a step on runs that step and what comes after, with the outcomes of what came before", async () => {
      broken = "send";
      const old = await start();
      assert.equal(old.status, "failed");
      broken = "";
      const again = await rerun(old, { from_step: idOf(old, "send") });
      assert.deepEqual([again.status, again.output, again.kept_steps], ["completed", 101, 5]);
      assert.deepEqual(ran, ["send"]);
      assert.deepEqual(
        again.steps.filter(({ kept }) => kept).map(({ attempts }) => attempts),
        [[], [], [], [], []],
      );
    });

    test("from the first step on keeps nothing, from one of two parallel ones what had finished before", async () => {
      const old = await start();
      assert.equal((await rerun(old, { from_step: idOf(old, "charge") })).output, 101);
      assert.equal(ran.length, 5);
      const [first, second] = old.steps.filter(({ name }) => ["pick", "label"].includes(name));
      for (const { id } of [first!, second!]) {
        const again = await rerun(old, { from_step: id });
        assert.equal(again.output, 101);
        assert.ok(!ran.includes("charge"));
        assert.ok(ran.includes(again.steps.find((step) => step.id === id)!.name));
      }
    });

    test("a failure that the function had caught is kept from a later step on, and run again with what completed kept", async () => {
      broken = "warn";
      const old = await start();
      assert.deepEqual([old.status, old.output], ["completed", 100]);
      broken = "";
      assert.equal((await rerun(old, { from_step: idOf(old, "send") })).output, 100);
      assert.deepEqual(ran, ["send"]);
      assert.equal((await rerun(old, { keep_completed: true })).output, 101);
      assert.deepEqual(ran, ["warn"]);
    });

    test("a function that failed after its last step ends without running a step again", async () => {
      broken = "the end";
      const old = await start();
      assert.equal(old.status, "failed");
      broken = "";
      const again = await rerun(old, { keep_completed: true });
      assert.deepEqual([again.status, again.output, again.kept_steps], ["completed", 101, 6]);
      assert.deepEqual(ran, []);
    });

    test("a rerun is repeated like any other run", async () => {
      const old = await start();
      const again = await rerun(old, { from_step: idOf(old, "send") });
      const third = await rerun(again, { from_step: idOf(again, "warn") });
      assert.deepEqual([third.output, third.kept_steps], [101, 4]);
      assert.deepEqual(ran, ["warn", "send"]);
    });

    test("a step that the run does not know starts nothing", async () => {
      const old = await start();
      ran = [];
      const { status, body } = await post(`/v1/runs/${old.id}/rerun`, { from_step: "nowhere" });
      assert.deepEqual(
        [status, body],
        [
          400,
          { error: "The run has no such step.", code: "invalid_request", status: 400, field: "from_step" },
        ],
      );
      assert.deepEqual(ran, []);
    });
  });
}
