import { slackSignature } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// Slack: events (https://docs.slack.dev/apis/events-api/), slash commands, and what people do in messages.
function transform(evt, headers, queryParams, raw) {
  // What people do in messages comes as a form with the JSON in one field.
  const body = typeof evt?.payload === "string" ? JSON.parse(evt.payload) : evt;
  const sentAt = headers["X-Slack-Request-Timestamp"];
  // What a function needs to verify that Slack sent this.
  const data = { ...body, raw, signature: headers["X-Slack-Signature"], webhook_timestamp: sentAt };

  // "/deploy" becomes "slack/command.deploy". Slack counts seconds, events count milliseconds.
  if (typeof body?.command === "string") {
    const name = "slack/command." + body.command.replace("/", "");
    return { name, id: idOf(body.trigger_id), ts: sentAt * 1000, data };
  }
  // Slack wants its challenge back in the answer, which a transform cannot give: see the set-up of this starter.
  if (typeof body?.type !== "string" || body.type === "url_verification") return null;

  // The event of an event_callback has a type of its own: "app_mention", "message".
  if (body.type === "event_callback") {
    if (typeof body.event?.type !== "string") return null;
    return { name: "slack/" + body.event.type, id: idOf(body.event_id), ts: body.event_time * 1000, data };
  }
  return { name: "slack/" + body.type, id: idOf(body.trigger_id), ts: sentAt * 1000, data };
}

// Slack tries again under the same id.
function idOf(id) {
  return id ? "slack-" + id : undefined;
}
`;

const sampleSecret = "sample secret of the slack starter";
const SENT_AT = 1777636801;

function sample(name: string, contentType: string, body: string): StarterSample {
  return {
    name,
    headers: {
      Accept: "*/*",
      "Accept-Encoding": "gzip,deflate",
      "Content-Type": contentType,
      "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
      "X-Slack-Request-Timestamp": String(SENT_AT),
      "X-Slack-Signature": slackSignature(body, sampleSecret, SENT_AT),
    },
    query: "",
    body,
  };
}

function eventSample(name: string, eventId: string, event: object): StarterSample {
  const body = JSON.stringify({
    token: "sampleVerificationToken",
    team_id: "T0SAMPLE01",
    context_team_id: "T0SAMPLE01",
    api_app_id: "A0SAMPLE01",
    event,
    type: "event_callback",
    event_id: eventId,
    event_time: 1777636800,
    authorizations: [{ enterprise_id: null, team_id: "T0SAMPLE01", user_id: "U0SAMPLEBOT", is_bot: true }],
    is_ext_shared_channel: false,
  });
  return sample(name, "application/json", body);
}

function formSample(name: string, fields: Record<string, string>): StarterSample {
  return sample(name, "application/x-www-form-urlencoded", new URLSearchParams(fields).toString());
}

export const slack: Starter = {
  id: "slack",
  name: "Slack",
  summary: "Events, slash commands and interactions of a Slack app.",
  documentationUrl: "https://docs.slack.dev/apis/events-api/",
  setUp:
    "In your Slack app, enter this webhook's URL for slash commands, interactivity or events. For events, Slack first sends a challenge (a body of type url_verification) and wants it back in the answer, which a transform cannot give: put a proxy of yours before the URL that answers challenges and passes everything else on unchanged. Or use socket mode with an app of yours that sends the events.",
  transform,
  secretName: "signing secret of the app",
  sampleSecret,
  samples: [
    eventSample("app_mention", "Ev0SAMPLE0001", {
      user: "U0SAMPLEADA",
      type: "app_mention",
      ts: "1777636799.004200",
      client_msg_id: "51f0c2de-6c3a-4b0e-9f64-1c2d3e4f5a01",
      text: "<@U0SAMPLEBOT> where is order 1001? 🚚",
      team: "T0SAMPLE01",
      channel: "C0SAMPLE01",
      event_ts: "1777636799.004200",
    }),
    eventSample("message", "Ev0SAMPLE0002", {
      user: "U0SAMPLEADA",
      type: "message",
      ts: "1777636799.004300",
      text: "Thank you!",
      team: "T0SAMPLE01",
      channel: "C0SAMPLE01",
      event_ts: "1777636799.004300",
      channel_type: "channel",
    }),
    formSample("slash command", {
      token: "sampleVerificationToken",
      team_id: "T0SAMPLE01",
      team_domain: "sample",
      channel_id: "C0SAMPLE01",
      channel_name: "shop",
      user_id: "U0SAMPLEADA",
      user_name: "ada",
      command: "/deploy",
      text: "shop to production",
      api_app_id: "A0SAMPLE01",
      is_enterprise_install: "false",
      response_url: "https://slack.example.com/commands/T0SAMPLE01/1/sample",
      trigger_id: "1777636801.1001.sample0001",
    }),
    formSample("block_actions", {
      payload: JSON.stringify({
        type: "block_actions",
        user: { id: "U0SAMPLEADA", username: "ada", team_id: "T0SAMPLE01" },
        api_app_id: "A0SAMPLE01",
        token: "sampleVerificationToken",
        trigger_id: "1777636801.1001.sample0002",
        team: { id: "T0SAMPLE01", domain: "sample" },
        channel: { id: "C0SAMPLE01", name: "shop" },
        response_url: "https://slack.example.com/actions/T0SAMPLE01/1/sample",
        actions: [
          {
            type: "button",
            action_id: "approve",
            block_id: "order",
            value: "1001",
            action_ts: "1777636800.911022",
          },
        ],
      }),
    }),
    sample(
      "url_verification",
      "application/json",
      JSON.stringify({
        token: "sampleVerificationToken",
        challenge: "sampleChallengeOfTheSlackStarter",
        type: "url_verification",
      }),
    ),
  ],
};
