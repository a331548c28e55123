/** The example, run as a user runs it: its own process, real HTTP, requests signed a moment ago. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type CallRecord, startMiniService } from "../../../packages/sdk/test/mini-service.ts";
import { type StarterSample, starterById } from "../../../packages/server/src/webhooks/starters/index.ts";
import {
  hmac,
  slackSignature,
  standardSignature,
  stripeSignature,
} from "../../../packages/server/src/webhooks/starters/sign-sample.ts";
import { inputOf, runTransform } from "../../../packages/server/test/run-transform.ts";

const VARIABLES: Record<string, string> = {
  stripe: "STRIPE_WEBHOOK_SECRET",
  github: "GITHUB_WEBHOOK_SECRET",
  clerk: "CLERK_WEBHOOK_SIGNING_SECRET",
  resend: "RESEND_WEBHOOK_SECRET",
  shopify: "SHOPIFY_API_SECRET",
  slack: "SLACK_SIGNING_SECRET",
  linear: "LINEAR_WEBHOOK_SECRET",
  intercom: "INTERCOM_CLIENT_SECRET",
};

const HOUR_MS = 3_600_000;

interface Event {
  name: string;
  data: Record<string, unknown>;
}

/** The sample as its producer would have signed it so many milliseconds ago, where a time is signed. */
function signed(id: string, sample: StarterSample, secret: string, ageMs = 0): StarterSample {
  const seconds = Math.floor((Date.now() - ageMs) / 1000);
  const time = String(seconds);
  const { body } = sample;
  const fresh: Record<string, () => [string, Record<string, string>]> = {
    stripe: () => [body, { "Stripe-Signature": stripeSignature(body, secret, seconds) }],
    slack: () => [
      body,
      { "X-Slack-Request-Timestamp": time, "X-Slack-Signature": slackSignature(body, secret, seconds) },
    ],
    linear: () => {
      const dated = body.replace(/"webhookTimestamp":\d+/, `"webhookTimestamp":${seconds * 1000}`);
      return [dated, { "Linear-Signature": hmac("sha256", secret, dated, "hex") }];
    },
  };
  const svix = (): [string, Record<string, string>] => {
    const signature = standardSignature(body, secret, sample.headers["svix-id"]!, seconds);
    return [body, { "svix-timestamp": time, "svix-signature": signature }];
  };
  const sign = sample.headers["svix-id"] === undefined ? fresh[id] : svix;
  const [text, headers] = sign?.() ?? [body, {}];
  return { ...sample, body: text, headers: { ...sample.headers, ...headers } };
}

async function eventOf(id: string, sample: StarterSample): Promise<Event | null> {
  return (await runTransform(starterById(id)!.transform, inputOf(sample))) as Event | null;
}

/** What the app answered about its steps. */
const opsOf = (calls: CallRecord[]) => calls.flatMap(({ ops }) => ops ?? []).map(({ op }) => op);

/** Start the app on a port of the system's choice; resolves to its address once it listens. */
async function startApp(
  t: { after(fn: () => void): void },
  serviceUrl: string,
  secrets: Record<string, string>,
): Promise<string> {
  const env = { ...process.env, SVC_DEV: serviceUrl, PORT: "0", ...secrets };
  const app = spawn(process.execPath, ["server.ts"], {
    cwd: join(import.meta.dirname, ".."),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => app.kill());
  const [line] = await once(createInterface(app.stdout), "line");
  return /http:\S+/.exec(line)![0];
}

test("each producer's requests run through; changed, unsigned and old ones fail for good", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const secrets = Object.entries(VARIABLES).map(([id, variable]) => [
    variable,
    starterById(id)!.sampleSecret,
  ]);
  const url = await startApp(t, service.url, Object.fromEntries(secrets));
  const run = (id: string, event: Event) => service.run(url, `webhooks-${id}`, event);

  for (const id of Object.keys(VARIABLES)) {
    const { samples, sampleSecret } = starterById(id)!;
    for (const sample of samples) {
      const event = await eventOf(id, signed(id, sample, sampleSecret));
      if (event === null) continue;
      const { status, error } = await run(id, event);
      assert.equal(status, "completed", `${id} ${sample.name}: ${error?.message}`);
    }

    const event = (await eventOf(id, signed(id, samples[0]!, sampleSecret)))!;
    const refused = async (data: Record<string, unknown>, reason: RegExp) => {
      const { status, error, calls } = await run(id, { ...event, data: { ...event.data, ...data } });
      assert.equal(status, "failed", id);
      assert.match(error!.message, reason, id);
      assert.deepEqual(opsOf(calls), ["StepFailed"], `${id} was tried again`);
    };
    await refused({ raw: `${event.data.raw} ` }, /not that of this body/);
    await refused({ signature: undefined }, /signature is missing/);
    await refused({ raw: null }, /no `raw` body/);
    if (["stripe", "clerk", "resend", "slack", "linear"].includes(id)) {
      const old = (await eventOf(id, signed(id, samples[0]!, sampleSecret, 25 * HOUR_MS)))!;
      await refused(old.data, /too old/);
    }
  }
});

test("what the data says beside the signed body is not believed", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const { samples, sampleSecret } = starterById("slack")!;
  const url = await startApp(t, service.url, { SLACK_SIGNING_SECRET: sampleSecret });

  const mention = signed("slack", samples[0]!, sampleSecret);
  const event = (await eventOf("slack", mention))!;
  const forged = { ...event, data: { ...event.data, command: "/deploy", type: "block_actions" } };
  assert.deepEqual((await service.run(url, "webhooks-slack", forged)).output, { type: "app_mention" });

  const body = mention.body.replace("where is order 1001?", "&command=/deploy&");
  const sneaky = (await eventOf("slack", signed("slack", { ...mention, body }, sampleSecret)))!;
  assert.deepEqual((await service.run(url, "webhooks-slack", sneaky)).output, { type: "app_mention" });
});

test("a secret that is not set fails the attempt, not the run", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const url = await startApp(t, service.url, { GITHUB_WEBHOOK_SECRET: "" });
  const event = (await eventOf("github", starterById("github")!.samples[0]!))!;
  const { status, error, calls } = await service.run(url, "webhooks-github", event);
  assert.equal(status, "failed");
  assert.match(error!.message, /Set GITHUB_WEBHOOK_SECRET/);
  assert.ok(opsOf(calls).filter((op) => op === "StepError").length > 1, "it was not tried again");
});
