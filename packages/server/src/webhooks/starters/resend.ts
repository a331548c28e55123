import type { Starter } from "./starter.ts";
import { svixSample } from "./svix-sample.ts";

const transform = `// Resend events, delivered by Svix: https://resend.com/docs/dashboard/webhooks/introduction
function transform(evt, headers, queryParams, raw) {
  if (typeof evt?.type !== "string") return null;

  const messageId = headers["Svix-Id"];
  return {
    name: "resend/" + evt.type,
    // Svix tries again under the same id.
    id: messageId ? "resend-" + messageId : undefined,
    ts: Date.parse(evt.created_at),
    // What a function needs to verify that Resend sent this.
    data: {
      ...evt,
      raw,
      signature: headers["Svix-Signature"],
      webhook_id: messageId,
      webhook_timestamp: headers["Svix-Timestamp"],
    },
  };
}
`;

const sampleSecret = `whsec_${Buffer.from("sample secret of the resend starter").toString("base64")}`;

function sample(type: string, messageId: string, fields: object) {
  const payload = {
    type,
    created_at: "2026-05-01T12:00:00.512Z",
    data: {
      email_id: "5e1a7c3e-2f7b-4a53-9d3c-3f0a5d1b7e01",
      created_at: "2026-05-01T11:59:57.103Z",
      from: "Shop <orders@shop.example.com>",
      to: ["ada@example.com"],
      subject: "Your order 1001",
      tags: { category: "order_confirmation" },
      ...fields,
    },
  };
  return svixSample({ name: type, messageId, sentAt: 1777636801, secret: sampleSecret, payload });
}

export const resend: Starter = {
  id: "resend",
  name: "Resend",
  summary: "What becomes of the emails you send with Resend: delivered, bounced, opened, complained about.",
  documentationUrl: "https://resend.com/docs/dashboard/webhooks/introduction",
  setUp: "In Resend, under Webhooks, add one with this webhook's URL and choose its events.",
  transform,
  secretName: "signing secret of the webhook",
  sampleSecret,
  samples: [
    sample("email.delivered", "msg_2sampleResend000000000001", {}),
    sample("email.bounced", "msg_2sampleResend000000000002", {
      to: ["nobody@example.com"],
      bounce: {
        type: "Permanent",
        subType: "General",
        message: "The address of the recipient does not exist.",
      },
    }),
    sample("email.clicked", "msg_2sampleResend000000000003", {
      click: {
        ipAddress: "192.0.2.10",
        link: "https://shop.example.com/orders/1001",
        timestamp: "2026-05-01T12:00:00.301Z",
        userAgent: "Mozilla/5.0",
      },
    }),
  ],
};
