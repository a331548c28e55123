/** The checks on real requests: the samples of the service's starters, as its transforms hand them on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { starterById } from "../../../packages/server/src/webhooks/starters/index.ts";
import { inputOf, runTransform } from "../../../packages/server/test/run-transform.ts";
import type { Freshness, Verdict } from "../signature.ts";
import { type SignedRequest, signedRequest } from "../signed-request.ts";
import { verifyGithub } from "../verify-github.ts";
import { verifyIntercom } from "../verify-intercom.ts";
import { verifyLinear } from "../verify-linear.ts";
import { verifyShopify } from "../verify-shopify.ts";
import { verifySlack } from "../verify-slack.ts";
import { verifyStandardWebhook } from "../verify-standard-webhooks.ts";
import { verifyStripe } from "../verify-stripe.ts";

interface Check {
  verify(request: SignedRequest, secret: string, freshness: Freshness): Verdict;
  /** When the samples were signed, in milliseconds; absent where no time is signed. */
  signedAt?: number;
}

const SIGNED_AT = 1777636801_000;
const CHECKS: Record<string, Check> = {
  stripe: {
    verify: ({ body, signature }, secret, freshness) => verifyStripe(body, signature, secret, freshness),
    signedAt: 1777636802_000,
  },
  clerk: {
    verify: ({ body, ...rest }, ...args) => verifyStandardWebhook(body, rest, ...args),
    signedAt: SIGNED_AT,
  },
  resend: {
    verify: ({ body, ...rest }, ...args) => verifyStandardWebhook(body, rest, ...args),
    signedAt: SIGNED_AT,
  },
  generic: {
    verify: ({ body, ...rest }, ...args) => verifyStandardWebhook(body, rest, ...args),
    signedAt: SIGNED_AT,
  },
  slack: { verify: ({ body, ...rest }, ...args) => verifySlack(body, rest, ...args), signedAt: SIGNED_AT },
  linear: {
    verify: ({ body, signature }, secret, freshness) => verifyLinear(body, signature, secret, freshness),
    signedAt: 1777636801_350,
  },
  github: { verify: ({ body, signature }, secret) => verifyGithub(body, signature, secret) },
  shopify: { verify: ({ body, signature }, secret) => verifyShopify(body, signature, secret) },
  intercom: { verify: ({ body, signature }, secret) => verifyIntercom(body, signature, secret) },
};

/** Each signed sample, through its transform, as a function sees it. */
const requests = (await Promise.all(Object.entries(CHECKS).map(requestsOf))).flat();

async function requestsOf([id, check]: [string, Check]) {
  const { transform, samples, sampleSecret } = starterById(id)!;
  const events = await Promise.all(samples.map((sample) => runTransform(transform, inputOf(sample))));
  return (events as ({ data: Record<string, unknown> } | null)[]).flatMap((event, index) => {
    if (event?.data.signature === undefined) return [];
    const freshness: Freshness = { now: check.signedAt ?? 0 };
    const label = `${id} ${samples[index]!.name}`;
    return [{ id, check, secret: sampleSecret, freshness, request: signedRequest(event.data), label }];
  });
}

test("every starter has a check, and every check signed samples to try", () => {
  assert.deepEqual([...new Set(requests.map(({ id }) => id))].sort(), Object.keys(CHECKS).sort());
  assert.equal(requests.length, 26);
});

test("the samples pass with the right secret, as text and as bytes", () => {
  for (const { check, secret, freshness, request, label } of requests) {
    assert.equal(check.verify(request, secret, freshness), "valid", label);
    const bytes = Buffer.from(request.body as string);
    assert.equal(check.verify({ ...request, body: bytes }, secret, freshness), "valid", label);
  }
});

test("they fail with another secret", () => {
  for (const { check, secret, freshness, request, label } of requests) {
    const others = [secret.replace("_", "_A"), `${secret} `, secret.toUpperCase(), "whsec_b3RoZXI="];
    for (const other of others.filter((each) => each !== secret && keyOf(each) !== keyOf(secret))) {
      assert.equal(check.verify(request, other, freshness), "mismatch", `${label}: ${other}`);
    }
  }
});

/** A secret of Standard Webhooks is base64, in which white space does not count. */
const keyOf = (secret: string) =>
  secret.startsWith("whsec_c2Ft") ? Buffer.from(secret.slice(6), "base64").toString("hex") : secret;

test("they fail when any byte of the body is another", () => {
  for (const { check, secret, freshness, request, label } of requests) {
    const bytes = Buffer.from(request.body as string);
    for (let at = 0; at < bytes.length; at += 13) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      assert.equal(
        check.verify({ ...request, body: changed }, secret, freshness),
        "mismatch",
        `${label} at ${at}`,
      );
    }
  }
});

test("white space of the body counts: what was parsed and written again fails", () => {
  for (const { check, secret, freshness, request, label } of requests) {
    const body = request.body as string;
    const rewritten = [`${body}\n`, ` ${body}`, body.slice(0, -1), `\uFEFF${body}`];
    if (body.startsWith("{")) {
      const value = JSON.parse(body);
      const texts = [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)];
      rewritten.push(...texts.filter((text) => text !== body));
    }
    assert.ok(rewritten.length >= 4);
    for (const other of rewritten) {
      assert.equal(check.verify({ ...request, body: other }, secret, freshness), "mismatch", label);
    }
  }
});

test("signatures of other forms fail", () => {
  for (const { check, secret, freshness, request, label } of requests) {
    const right = request.signature!;
    assert.equal(check.verify({ ...request, signature: undefined }, secret, freshness), "missing", label);
    assert.equal(check.verify({ ...request, signature: "" }, secret, freshness), "missing", label);
    const wrong = [
      "x",
      "sha256=",
      "v1,",
      "v0=",
      "t=,v1=",
      right.slice(0, -1),
      `${right}0`,
      right.replace(/^[^,=]*[,=]/, ""),
      "é".repeat(64),
      right.replace(/.(?==*$)/, (last) => (last === "0" ? "1" : "0")),
    ];
    for (const signature of wrong.filter((each) => each !== right && each !== "")) {
      const verdict = check.verify({ ...request, signature }, secret, freshness);
      assert.match(verdict, /^(malformed|mismatch)$/, `${label}: ${signature}`);
    }
  }
});

test("a request that was signed too long ago, or too far ahead, has expired", () => {
  const timed = requests.filter(({ check }) => check.signedAt !== undefined);
  assert.ok(timed.length >= 15);
  for (const { check, secret, request, label } of timed) {
    const at = (offset: number, toleranceMs?: number) => {
      const freshness = { now: check.signedAt! + offset, ...(toleranceMs !== undefined && { toleranceMs }) };
      return check.verify(request, secret, freshness);
    };
    for (const offset of [-300_000, 0, 300_000]) assert.equal(at(offset), "valid", `${label} ${offset}`);
    for (const offset of [-300_001, 300_001]) assert.equal(at(offset), "expired", `${label} ${offset}`);
    assert.equal(at(86_400_000, 86_400_000), "valid", label);
    assert.equal(at(86_400_001, 86_400_000), "expired", label);
  }
});

test("the time and the id that are signed cannot be exchanged for fresher ones", () => {
  const later = SIGNED_AT + 3_600_000;
  for (const { id, check, secret, request, label } of requests) {
    const seconds = String(later / 1000);
    if (id === "stripe") {
      const signature = request.signature!.replace(/t=\d+/, `t=${seconds}`);
      assert.equal(check.verify({ ...request, signature }, secret, { now: later }), "mismatch", label);
    }
    if (request.timestamp === undefined) continue;
    assert.equal(check.verify({ ...request, timestamp: seconds }, secret, { now: later }), "mismatch", label);
    for (const timestamp of ["", "soon", "1e9", "-1", "1777636801.0", "1".repeat(13)]) {
      assert.match(check.verify({ ...request, timestamp }, secret, { now: later }), /^(missing|malformed)$/);
    }
    if (request.id === undefined) continue;
    assert.equal(
      check.verify({ ...request, id: "msg_other" }, secret, { now: SIGNED_AT }),
      "mismatch",
      label,
    );
    assert.equal(check.verify({ ...request, id: undefined }, secret, { now: SIGNED_AT }), "missing", label);
  }
});

test("while a secret is rotated, one right signature among several is enough", () => {
  for (const { id, check, secret, freshness, request, label } of requests) {
    const other = `${request.signature!.slice(-8)}${"A".repeat(36)}`;
    const both =
      id === "stripe" ? [`v1=${other}`, request.signature!].join(",") : `v1,${other} ${request.signature}`;
    if (!["stripe", "clerk", "resend", "generic"].includes(id)) continue;
    assert.equal(check.verify({ ...request, signature: both }, secret, freshness), "valid", label);
    // Signatures of other schemes are passed over, never taken.
    const scheme = request.signature!.replace(/v1([,=])/, "v9$1");
    assert.equal(check.verify({ ...request, signature: scheme }, secret, freshness), "malformed", label);
  }
});

test("an empty secret is refused, not used", () => {
  for (const { check, freshness, request, label } of requests) {
    assert.throws(() => check.verify(request, "", freshness), /The secret is empty/, label);
  }
});

test("published examples of the producers have the published signatures", () => {
  // GitHub: "Validating webhook deliveries".
  const github = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  assert.equal(verifyGithub("Hello, World!", github, "It's a Secret to Everybody"), "valid");
  // Slack: "Verifying requests from Slack".
  const slackBody =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  const slack = {
    timestamp: "1531420618",
    signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  };
  const freshness = { now: 1531420618_000 };
  assert.equal(verifySlack(slackBody, slack, "8f742231b10e8888abcd99yyyzzz85a5", freshness), "valid");
});

test("a body that is not text is verified by its bytes, which travel as base64", () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]);
  const request = signedRequest({ raw: bytes.toString("base64"), raw_encoding: "base64" });
  assert.deepEqual(request.body, bytes);
});

test("an event without a raw body fails for good", () => {
  for (const data of [{}, { raw: null }, { raw: 5 }, { raw: ["a"] }]) {
    assert.throws(() => signedRequest(data), { name: "NonRetriableError", message: /no `raw` body/ });
  }
});
