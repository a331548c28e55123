import { hmac } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// Linear events: https://linear.app/developers/webhooks
function transform(evt, headers, queryParams, raw) {
  if (typeof evt?.type !== "string") return null;

  // "Issue" becomes "issue", "IssueLabel" becomes "issue_label".
  const noun = evt.type.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const delivery = headers["Linear-Delivery"];
  return {
    // The action is "create", "update" or "remove", and a few others for some types.
    name: "linear/" + noun + (typeof evt.action === "string" ? "." + evt.action : ""),
    id: delivery ? "linear-" + delivery : undefined,
    ts: Date.parse(evt.createdAt),
    // With raw and signature a function can verify that Linear sent this. Linear's time of sending,
    // webhookTimestamp, is in the body.
    data: { ...evt, raw, signature: headers["Linear-Signature"] },
  };
}
`;

const sampleSecret = "lin_wh_sample_of_the_linear_starter";

const issue = {
  id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b01",
  createdAt: "2026-05-01T11:59:59.204Z",
  updatedAt: "2026-05-01T11:59:59.204Z",
  number: 42,
  title: "Orders of Friday evening wait until Monday",
  description: "Saturday is a working day for the carrier.",
  priority: 2,
  priorityLabel: "High",
  identifier: "SHOP-42",
  url: "https://linear.app/sample/issue/SHOP-42/orders-of-friday-evening-wait-until-monday",
  sortOrder: -120.5,
  teamId: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b02",
  team: { id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b02", key: "SHOP", name: "Shop" },
  stateId: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b03",
  state: { id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b03", name: "Todo", type: "unstarted", color: "#e2e2e2" },
  creatorId: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b04",
  labelIds: [],
  labels: [],
};

const started = {
  id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b05",
  name: "In Progress",
  type: "started",
  color: "#f2c94c",
};

function sample(
  name: string,
  delivery: string,
  fields: { type: string; [key: string]: unknown },
): StarterSample {
  const body = JSON.stringify({
    actor: {
      id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b04",
      type: "user",
      name: "Ada Example",
      email: "ada@example.com",
    },
    ...fields,
    organizationId: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b06",
    webhookTimestamp: 1777636801350,
    webhookId: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b07",
  });
  return {
    name,
    headers: {
      "Accept-Charset": "utf-8",
      "Content-Type": "application/json; charset=utf-8",
      "Linear-Delivery": delivery,
      "Linear-Event": fields.type,
      "Linear-Signature": hmac("sha256", sampleSecret, body, "hex"),
      "Linear-Timestamp": "1777636801350",
      "User-Agent": "Linear-Webhook",
    },
    query: "",
    body,
  };
}

export const linear: Starter = {
  id: "linear",
  name: "Linear",
  summary: "Issues, comments, projects and cycles of a Linear workspace.",
  documentationUrl: "https://linear.app/developers/webhooks",
  setUp:
    "In Linear's settings, under API, create a webhook with this webhook's URL and choose its data types.",
  transform,
  secretName: "signing secret of the webhook",
  sampleSecret,
  samples: [
    sample("Issue create", "3c9e2f10-5d7a-4b6c-8e1f-9a0b1c2d3e01", {
      action: "create",
      type: "Issue",
      createdAt: "2026-05-01T11:59:59.204Z",
      data: issue,
      url: issue.url,
    }),
    sample("Issue update", "3c9e2f10-5d7a-4b6c-8e1f-9a0b1c2d3e02", {
      action: "update",
      type: "Issue",
      createdAt: "2026-05-01T12:00:01.118Z",
      data: { ...issue, stateId: started.id, state: started, updatedAt: "2026-05-01T12:00:01.118Z" },
      updatedFrom: { stateId: issue.stateId, updatedAt: issue.updatedAt },
      url: issue.url,
    }),
    sample("IssueLabel create", "3c9e2f10-5d7a-4b6c-8e1f-9a0b1c2d3e03", {
      action: "create",
      type: "IssueLabel",
      createdAt: "2026-05-01T12:00:01.002Z",
      data: {
        id: "7b0d3c52-1f6e-4c8a-9a51-0d2f4e6a8b08",
        createdAt: "2026-05-01T12:00:01.002Z",
        updatedAt: "2026-05-01T12:00:01.002Z",
        name: "Versand – Lieferfähigkeit",
        color: "#5e6ad2",
        isGroup: false,
        teamId: issue.teamId,
      },
    }),
  ],
};
