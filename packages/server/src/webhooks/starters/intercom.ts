import { hmac } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// Intercom notifications: https://developers.intercom.com/docs/webhooks
function transform(evt, headers, queryParams, raw) {
  if (typeof evt?.topic !== "string") return null;

  return {
    name: "intercom/" + evt.topic,
    // Intercom tries again under the same id. A ping has none.
    id: evt.id ? "intercom-" + evt.id : undefined,
    // Intercom counts seconds, events count milliseconds.
    ts: evt.created_at * 1000,
    // With raw and signature a function can verify that Intercom sent this.
    data: { ...evt, raw, signature: headers["X-Hub-Signature"] },
  };
}
`;

const sampleSecret = "sample secret of the intercom starter";
const CREATED = 1777636800;

function sample(topic: string, id: string | null, item: object): StarterSample {
  const body = JSON.stringify({
    type: "notification_event",
    app_id: "sample01",
    data: { type: "notification_event_data", item },
    links: {},
    id,
    topic,
    delivery_status: "pending",
    delivery_attempts: 1,
    delivered_at: 0,
    first_sent_at: CREATED + 1,
    created_at: CREATED,
    self: null,
  });
  return {
    name: topic,
    headers: {
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "intercom-webhooks/1.0",
      "X-Hub-Signature": `sha1=${hmac("sha1", sampleSecret, body, "hex")}`,
    },
    query: "",
    body,
  };
}

const ada = { type: "user", id: "66sample000000000000ada1", name: "Ada Example", email: "ada@example.com" };

const conversation = {
  type: "conversation",
  id: "100000000001",
  created_at: CREATED - 2,
  updated_at: CREATED,
  title: null,
  source: {
    type: "conversation",
    id: "200000000001",
    delivered_as: "customer_initiated",
    subject: "",
    body: "<p>Where is my order 1001? Grüße, Ada</p>",
    author: ada,
    attachments: [],
    url: "https://shop.example.com/orders/1001",
  },
  contacts: { type: "contact.list", contacts: [{ type: "contact", id: ada.id, external_id: "1001" }] },
  open: true,
  state: "open",
  read: false,
  priority: "not_priority",
  tags: { type: "tag.list", tags: [] },
};

export const intercom: Starter = {
  id: "intercom",
  name: "Intercom",
  summary: "Conversations, contacts and tickets of an Intercom workspace.",
  documentationUrl: "https://developers.intercom.com/docs/webhooks",
  setUp:
    "In Intercom's Developer Hub, in your app, under Webhooks, enter this webhook's URL as endpoint and choose topics.",
  transform,
  secretName: "client secret of the app",
  sampleSecret,
  samples: [
    sample("conversation.user.created", "notif_5a1c0de0-5d7a-4b6c-8e1f-9a0b1c2d3e01", conversation),
    sample("conversation.user.replied", "notif_5a1c0de0-5d7a-4b6c-8e1f-9a0b1c2d3e02", {
      ...conversation,
      conversation_parts: {
        type: "conversation_part.list",
        conversation_parts: [
          {
            type: "conversation_part",
            id: "300000000001",
            part_type: "comment",
            body: "<p>It has come, thank you!</p>",
            created_at: CREATED,
            author: ada,
            attachments: [],
          },
        ],
        total_count: 1,
      },
    }),
    sample("ping", null, { type: "ping", message: "A test of the endpoint." }),
  ],
};
