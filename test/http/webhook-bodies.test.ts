/** From a producer that signs to a function that verifies: nothing on the way changes a byte of a body. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Client } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { requireValid, signedRequest } from "../../examples/webhooks/signed-request.ts";
import { verifyGithub } from "../../examples/webhooks/verify-github.ts";
import { verifyStandardWebhook } from "../../examples/webhooks/verify-standard-webhooks.ts";
import { verifyStripe } from "../../examples/webhooks/verify-stripe.ts";
import { type Json, startWebhookService, type WebhookService } from "./webhook-service.ts";

const SECRET = "whsec_c2VjcmV0LW9mLXRlc3Rz";
const KEY = Buffer.from(SECRET.slice("whsec_".length), "base64");

/** What producers send: every byte of it is signed. */
const BODIES: Record<string, string | Buffer> = {
  "unicode, escaped and not":
    '{"name":"Zoë 🚚 \\u00e9 \\ud83d\\ude9a","rtl":"\u202eabc","zero":"\\u0000","combining":"e\u0301"}',
  "odd white space": '\r\n\t{ "a" :\t[ 1 ,\r\n2 ] , "b":{}}  \n\n',
  "big numbers": '{"id":12345678901234567890,"f":1.10,"e":1E400,"n":-0.0,"pi":3.141592653589793238462643}',
  "fields that come twice, and odd names": '{"a":1,"a":2,"__proto__":{"x":1},"constructor":null,"":0}',
  "a lone surrogate in an escape": '{"a":"\\ud800"}',
  "a byte order mark": '\ufeff{"a":1}',
  "NUL bytes": "a\0b\0",
  "no bytes": "",
  "bytes that are no text": Buffer.from([0xff, 0x00, 0xfe, 0x80, 0x0a, 0xc3, 0x28]),
  "UTF-8 cut in the middle": Buffer.from("é").subarray(0, 1),
  "every byte": Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
};

for (const mode of ["start", "dev"] as const) {
  describe(`webhooks of svc ${mode}`, () => {
    let service: WebhookService;
    let app: Server;

    before(async () => {
      const signingKey = `signkey-prod-${"cd".repeat(16)}`;
      service = await startWebhookService(mode, mode === "start" ? ["--signing-key", signingKey] : []);
      const options = mode === "start" ? { isDev: false, signingKey } : { isDev: true };
      const client = new Client({ id: "verifier", baseUrl: service.url, eventKey: "none", ...options });
      const freshness = () => ({ now: Date.now() });
      /** A function that fails unless the signature is right, and returns the body it was right for. */
      const verifier = (id: string, verify: (request: ReturnType<typeof signedRequest>) => unknown) =>
        client.createFunction({ id, retries: 0 }, `${id}/signed`, ({ event }) => {
          const request = signedRequest(event.data);
          requireValid(id, verify(request) as "valid");
          return Buffer.from(request.body as string).toString("base64");
        });
      const functions = [
        verifier("stripe", ({ body, signature }) => verifyStripe(body, signature, SECRET, freshness())),
        verifier("github", ({ body, signature }) => verifyGithub(body, signature, SECRET)),
        verifier("standard", ({ body, ...signed }) =>
          verifyStandardWebhook(body, signed, SECRET, freshness()),
        ),
      ];
      app = createServer(serve({ client, functions }));
      await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/svc`;
      const synced = await service.call("POST", "/v1/apps", { url });
      assert.equal(synced.status, 200, JSON.stringify(synced.body));
    });
    after(async () => {
      await service.close();
      app.closeAllConnections();
      app.close();
    });

    const SCHEMES: Record<string, (body: Buffer) => Record<string, string>> = {
      stripe: (body) => {
        const seconds = Math.floor(Date.now() / 1000);
        const mac = createHmac("sha256", SECRET).update(`${seconds}.`).update(body).digest("hex");
        return { "stripe-signature": `t=${seconds},v1=${mac}` };
      },
      github: (body) => ({
        "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
      }),
      standard: (body) => {
        const seconds = Math.floor(Date.now() / 1000);
        const mac = createHmac("sha256", KEY).update(`msg_1.${seconds}.`).update(body).digest("base64");
        return {
          "webhook-id": "msg_1",
          "webhook-timestamp": String(seconds),
          "webhook-signature": `v1,${mac}`,
        };
      },
    };
    const hookOf = (scheme: string): Promise<Json> =>
      service.create(`return { name: "${scheme}/signed", data: { raw, raw_encoding: headers["X-Svc-Body-Encoding"],
        signature: headers["Stripe-Signature"] ?? headers["X-Hub-Signature-256"] ?? headers["Webhook-Signature"],
        webhook_id: headers["Webhook-Id"], webhook_timestamp: headers["Webhook-Timestamp"] } }`);

    for (const [scheme, sign] of Object.entries(SCHEMES)) {
      test(`what is signed as ${scheme} signs it verifies in a function, byte for byte`, async () => {
        const hook = await hookOf(scheme);
        for (const [label, text] of Object.entries(BODIES)) {
          const body = Buffer.from(text as string);
          const { status, body: sent } = await service.send(hook.url, body, { headers: sign(body) });
          assert.equal(status, 200, label);
          const run = await service.finishedRun(sent.ids[0]);
          assert.equal(run.status, "completed", `${label}: ${run.error?.message}`);
          assert.equal(run.output, body.toString("base64"), label);
          // And the inbox has it as it came.
          const kept = await service.newest(hook);
          assert.deepEqual(Buffer.from(kept.body, kept.body_encoding), body, label);
          assert.equal(kept.size, body.length);
        }
      });
    }

    test("a body that comes compressed is signed as it was before", async () => {
      const hook = await hookOf("github");
      const body = Buffer.from(BODIES["odd white space"] as string);
      for (const [encoding, packed] of [
        ["gzip", gzipSync(body)],
        ["br", brotliCompressSync(body)],
      ] as const) {
        const headers = { ...SCHEMES.github!(body), "content-encoding": encoding };
        const { body: sent } = await service.send(hook.url, packed, { headers });
        assert.equal((await service.finishedRun(sent.ids[0])).output, body.toString("base64"), encoding);
      }
    });

    test("a replay verifies as the first run did", async () => {
      const hook = await hookOf("github");
      for (const label of ["every byte", "NUL bytes", "a byte order mark"]) {
        const body = Buffer.from(BODIES[label] as string);
        await service.send(hook.url, body, { headers: SCHEMES.github!(body) });
        const { id } = await service.newest(hook);
        const replayed = await service.call("POST", `/v1/webhooks/requests/${id}/replay`);
        const run = await service.finishedRun(replayed.body.data.event_ids[0]);
        assert.equal(run.output, body.toString("base64"), label);
      }
    });

    test("another body, and a signed one in base64 with text behind it, do not verify", async () => {
      const hook = await hookOf("github");
      const signed = Buffer.from('{"amount":10}!');
      const headers = SCHEMES.github!(signed);
      const forged = `{"${signed.toString("base64")}":0,"amount":1000000}`;
      assert.ok(signed.toString("base64").endsWith("="));
      const encoded = { ...headers, "x-svc-body-encoding": "base64" };
      for (const [body, sent] of [
        ['{"amount":11}!', headers],
        [forged, encoded],
      ] as const) {
        const answer = await service.send(hook.url, body, { headers: sent });
        const run = await service.finishedRun(answer.body.ids[0]);
        assert.equal(run.status, "failed", body);
        assert.match(run.error!.message, /not signed by github/);
      }
    });
  });
}
