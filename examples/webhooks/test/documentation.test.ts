/** The checks printed in docs/verifying-signatures.md do what they say, on the samples of the starters. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { starterById } from "../../../packages/server/src/webhooks/starters/index.ts";
import { inputOf, runTransform } from "../../../packages/server/test/run-transform.ts";

type Data = Record<string, string>;
type Checks = Record<string, (...args: unknown[]) => unknown>;

const NOW = 1777636801_000;
const DAY = 86_400_000;

/** Everything that the page's TypeScript examples export. */
async function exportsOfPage(t: { after(fn: () => void): void }): Promise<Checks> {
  const page = join(import.meta.dirname, "../../../docs/verifying-signatures.md");
  const blocks = readFileSync(page, "utf8").matchAll(/^```ts\n(.*?)^```$/gms);
  // Here, because the examples import the SDK.
  const folder = mkdtempSync(join(import.meta.dirname, ".docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const checks: Checks = {};
  for (const [index, [, code]] of [...blocks].entries()) {
    const file = join(folder, `${index}.ts`);
    writeFileSync(file, code!);
    Object.assign(checks, await import(pathToFileURL(file).href));
  }
  return checks;
}

test("the page's checks pass what is signed, and refuse other bodies, other secrets and old signatures", async (t) => {
  const page = await exportsOfPage(t);
  const bySignature = (name: string) => (data: Data, secret: string, now: number) =>
    page[name]!(data.raw, data.signature, secret, now);
  const byData = (name: string) => (data: Data, secret: string, now: number) =>
    page[name]!(data, secret, now);
  const checks: Record<
    string,
    { verify: (data: Data, secret: string, now: number) => unknown; timed: boolean }
  > = {
    stripe: { verify: bySignature("verifyStripe"), timed: true },
    linear: { verify: bySignature("verifyLinear"), timed: true },
    github: { verify: bySignature("verifyGithub"), timed: false },
    shopify: { verify: bySignature("verifyShopify"), timed: false },
    intercom: { verify: bySignature("verifyIntercom"), timed: false },
    clerk: { verify: byData("verifyStandardWebhook"), timed: true },
    resend: { verify: byData("verifyStandardWebhook"), timed: true },
    slack: { verify: byData("verifySlack"), timed: true },
  };
  for (const [id, { verify, timed }] of Object.entries(checks)) {
    const { transform, samples, sampleSecret } = starterById(id)!;
    const { data } = (await runTransform(transform, inputOf(samples[0]!))) as { data: Data };
    assert.equal(verify(data, sampleSecret, NOW), true, id);
    assert.equal(verify(data, sampleSecret, NOW + DAY / 2), true, id);
    assert.equal(verify(data, sampleSecret, NOW + DAY + 60_000), !timed, id);
    assert.equal(verify({ ...data, raw: `${data.raw} ` }, sampleSecret, NOW), false, id);
    assert.equal(verify({ ...data, signature: `${data.signature}0` }, sampleSecret, NOW), false, id);
    assert.equal(verify(data, "another secret", NOW), false, id);
  }
});

test("the page's function gives back the bytes of a binary body", async (t) => {
  const { signedBytes } = await exportsOfPage(t);
  assert.equal(signedBytes!({ raw: "text" }), "text");
  assert.deepEqual(signedBytes!({ raw: "/wA=", raw_encoding: "base64" }), Buffer.from([0xff, 0]));
});
