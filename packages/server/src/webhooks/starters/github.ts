import { hmac } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// GitHub events: https://docs.github.com/en/webhooks/webhook-events-and-payloads
function transform(evt, headers, queryParams, raw) {
  // The header says what happened; what comes without it is ignored.
  const event = headers["X-Github-Event"];
  if (!event) return null;

  // A webhook of content type application/x-www-form-urlencoded has the JSON in one field.
  const payload = typeof evt?.payload === "string" ? JSON.parse(evt.payload) : evt;

  // Most events have an action: "opened" of a pull request. A push has none.
  const action = payload?.action;
  const delivery = headers["X-Github-Delivery"];
  return {
    name: "github/" + event + (typeof action === "string" ? "." + action : ""),
    // A redelivery has the id of the first delivery.
    id: delivery ? "github-" + delivery : undefined,
    ts: timeOf(event, payload),
    // With raw and signature a function can verify that GitHub sent this.
    data: { ...payload, raw, signature: headers["X-Hub-Signature-256"] },
  };
}

// In milliseconds; undefined, which means the time of receipt, for events that do not say when they happened.
function timeOf(event, payload) {
  if (event === "push") return payload?.repository?.pushed_at * 1000;
  if (event === "pull_request") return Date.parse(payload?.pull_request?.updated_at);
  if (event === "issues") return Date.parse(payload?.issue?.updated_at);
  return undefined;
}
`;

const sampleSecret = "sample secret of the github starter";

const sender = {
  login: "octo-sample",
  id: 1001,
  type: "User",
  html_url: "https://github.example.com/octo-sample",
};

const repository = {
  id: 2001,
  name: "shop",
  full_name: "octo-sample/shop",
  private: false,
  owner: sender,
  html_url: "https://github.example.com/octo-sample/shop",
  default_branch: "main",
  created_at: "2025-01-02T09:00:00Z",
  updated_at: "2026-05-01T11:58:00Z",
  pushed_at: "2026-05-01T11:59:30Z",
};

function sample(event: string, delivery: string, payload: object): StarterSample {
  const body = JSON.stringify(payload);
  return {
    name: event,
    headers: {
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "GitHub-Hookshot/0123456",
      "X-GitHub-Delivery": delivery,
      "X-GitHub-Event": event,
      "X-GitHub-Hook-ID": "3001",
      "X-GitHub-Hook-Installation-Target-ID": "2001",
      "X-GitHub-Hook-Installation-Target-Type": "repository",
      "X-Hub-Signature": `sha1=${hmac("sha1", sampleSecret, body, "hex")}`,
      "X-Hub-Signature-256": `sha256=${hmac("sha256", sampleSecret, body, "hex")}`,
    },
    query: "",
    body,
  };
}

const commit = {
  id: "6f1e2d3c4b5a69788796a5b4c3d2e1f001122334",
  tree_id: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
  distinct: true,
  message: "Ship orders on Saturdays, too",
  timestamp: "2026-05-01T13:58:41+02:00",
  url: "https://github.example.com/octo-sample/shop/commit/6f1e2d3c",
  author: { name: "Ada Example", email: "ada@example.com", username: "octo-sample" },
  committer: { name: "Ada Example", email: "ada@example.com", username: "octo-sample" },
  added: [],
  removed: [],
  modified: ["src/ship.ts"],
};

export const github: Starter = {
  id: "github",
  name: "GitHub",
  summary: "Pushes, pull requests, issues and every other event of a GitHub repository or organisation.",
  documentationUrl: "https://docs.github.com/en/webhooks",
  setUp:
    "In the repository's settings, under Webhooks, add one with this webhook's URL, content type application/json and a secret of your own.",
  transform,
  secretName: "secret of the webhook",
  sampleSecret,
  samples: [
    sample("push", "0a6f1c52-4571-11f1-8a10-5a3d0c9e7b01", {
      ref: "refs/heads/main",
      before: "9a8b7c6d5e4f30213243546576879a8bcdef0123",
      after: commit.id,
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: "https://github.example.com/octo-sample/shop/compare/9a8b7c6d...6f1e2d3c",
      commits: [commit],
      head_commit: commit,
      // Of all events only push has these times as numbers, in seconds.
      repository: { ...repository, created_at: 1735808400, pushed_at: 1777636770, master_branch: "main" },
      pusher: { name: "octo-sample", email: "ada@example.com" },
      sender,
    }),
    sample("pull_request", "0a6f1c52-4571-11f1-8a10-5a3d0c9e7b02", {
      action: "opened",
      number: 17,
      pull_request: {
        id: 4001,
        number: 17,
        state: "open",
        locked: false,
        title: "Ship orders on Saturdays, too",
        user: sender,
        body: "Closes #16.",
        created_at: "2026-05-01T11:59:58Z",
        updated_at: "2026-05-01T11:59:58Z",
        closed_at: null,
        merged_at: null,
        draft: false,
        merged: false,
        head: { ref: "saturdays", sha: commit.id, label: "octo-sample:saturdays" },
        base: { ref: "main", sha: "9a8b7c6d5e4f30213243546576879a8bcdef0123", label: "octo-sample:main" },
        html_url: "https://github.example.com/octo-sample/shop/pull/17",
        commits: 1,
        additions: 4,
        deletions: 1,
        changed_files: 1,
      },
      repository,
      sender,
    }),
    sample("issues", "0a6f1c52-4571-11f1-8a10-5a3d0c9e7b03", {
      action: "labeled",
      issue: {
        id: 5001,
        number: 16,
        title: "Orders of Friday evening wait until Monday 📦",
        user: sender,
        labels: [{ id: 6001, name: "bug", color: "d73a4a", default: true }],
        state: "open",
        comments: 0,
        created_at: "2026-05-01T11:40:00Z",
        updated_at: "2026-05-01T11:45:12Z",
        closed_at: null,
        body: "Saturday is a working day for the carrier.",
        html_url: "https://github.example.com/octo-sample/shop/issues/16",
      },
      label: { id: 6001, name: "bug", color: "d73a4a", default: true },
      repository,
      sender,
    }),
    sample("ping", "0a6f1c52-4571-11f1-8a10-5a3d0c9e7b04", {
      zen: "Small steps get there.",
      hook_id: 3001,
      hook: {
        type: "Repository",
        id: 3001,
        name: "web",
        active: true,
        events: ["push", "pull_request", "issues"],
        config: {
          content_type: "json",
          insecure_ssl: "0",
          secret: "********",
          url: "https://svc.example.com/",
        },
        created_at: "2026-05-01T11:30:00Z",
        updated_at: "2026-05-01T11:30:00Z",
      },
      repository,
      sender,
    }),
  ],
};
