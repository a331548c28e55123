import type { Starter } from "./starter.ts";
import { svixSample } from "./svix-sample.ts";

const transform = `// Clerk events, delivered by Svix: https://clerk.com/docs/webhooks/overview
function transform(evt, headers, queryParams, raw) {
  if (typeof evt?.type !== "string") return null;

  const messageId = headers["Svix-Id"];
  return {
    name: "clerk/" + evt.type,
    // Svix tries again under the same id.
    id: messageId ? "clerk-" + messageId : undefined,
    // Clerk counts milliseconds, as events do.
    ts: evt.timestamp,
    // What a function needs to verify that Clerk sent this.
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

const sampleSecret = `whsec_${Buffer.from("sample secret of the clerk starter").toString("base64")}`;
const SENT_AT = 1777636801;

function user(fields: object): object {
  return {
    id: "user_2sampleStarterAda0001",
    object: "user",
    username: null,
    first_name: "Ada",
    last_name: "Example",
    image_url: "https://img.example.com/ada.png",
    has_image: false,
    primary_email_address_id: "idn_2sampleStarterMail001",
    email_addresses: [
      {
        id: "idn_2sampleStarterMail001",
        object: "email_address",
        email_address: "ada@example.com",
        linked_to: [],
        verification: { status: "verified", strategy: "email_code" },
      },
    ],
    phone_numbers: [],
    external_accounts: [],
    external_id: null,
    password_enabled: true,
    two_factor_enabled: false,
    public_metadata: {},
    private_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: null,
    created_at: 1777636799120,
    updated_at: 1777636799184,
    ...fields,
  };
}

function sample(type: string, messageId: string, data: object) {
  const payload = {
    data,
    event_attributes: { http_request: { client_ip: "192.0.2.10", user_agent: "Mozilla/5.0" } },
    instance_id: "ins_2sampleStarterInstance",
    object: "event",
    timestamp: 1777636800412,
    type,
  };
  return svixSample({ name: type, messageId, sentAt: SENT_AT, secret: sampleSecret, payload });
}

export const clerk: Starter = {
  id: "clerk",
  name: "Clerk",
  summary: "Users, sessions and organisations of a Clerk application.",
  documentationUrl: "https://clerk.com/docs/webhooks/overview",
  setUp:
    "In the Clerk Dashboard, under Webhooks, add an endpoint with this webhook's URL and subscribe it to events.",
  transform,
  secretName: "signing secret of the endpoint",
  sampleSecret,
  samples: [
    sample("user.created", "msg_2sampleClerk0000000000001", user({})),
    sample(
      "user.updated",
      "msg_2sampleClerk0000000000002",
      user({ first_name: "Zoë", public_metadata: { plan: "team" }, updated_at: 1777636800377 }),
    ),
    sample("user.deleted", "msg_2sampleClerk0000000000003", {
      id: "user_2sampleStarterAda0001",
      object: "user",
      deleted: true,
    }),
  ],
};
