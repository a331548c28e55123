import assert from "node:assert/strict";
import { after, test } from "node:test";
import { loadConfig } from "../config.ts";
import { SETTING_LIST } from "../settings.ts";
import { type Json, startTestService, type TestService } from "./test-service.ts";

const running: TestService[] = [];
after(async () => {
  for (const service of running) await service.close();
});

async function settingsOf(mode: "dev" | "start", flags: string[]) {
  const service = await startTestService({ config: loadConfig(mode, flags, {}) });
  running.push(service);
  const { status, body } = await service.get("/v1/settings");
  assert.equal(status, 200);
  const rows = new Map<string, Json>(body.data.settings.map((row: Json) => [row.name, row]));
  return { data: body.data, rows, text: JSON.stringify(body) };
}

test("settings are told as their flags take them, with what they are without", async () => {
  const { data, rows } = await settingsOf("dev", ["--retention", "48h", "--max-steps", "7"]);
  assert.equal(data.mode, "dev");
  assert.equal(data.version, "1.2.3");
  assert.deepEqual(rows.get("retentionMs"), {
    name: "retentionMs",
    group: "Storage",
    flag: "--retention",
    variable: "SVC_RETENTION",
    value: "2d",
    default: "30d",
    changed: true,
    meaning: "Age after which events, webhook requests and finished runs are removed.",
  });
  assert.equal(rows.get("maxStepsPerRun").value, "7");
  assert.deepEqual(
    [
      rows.get("retentionBytes").value,
      rows.get("retentionBytes").default,
      rows.get("retentionBytes").changed,
    ],
    [null, "no bound", false],
  );
});

test("only the settings of the mode are told", async () => {
  const dev = await settingsOf("dev", []);
  const start = await settingsOf("start", []);
  assert.ok(dev.rows.has("pollIntervalMs") && !dev.rows.has("branchArchiveAfterMs"));
  assert.ok(start.rows.has("branchArchiveAfterMs") && !start.rows.has("pollIntervalMs"));
});

test("no secret is told, not even that there is one", async () => {
  const signingKey = `signkey-prod-${"ab".repeat(16)}`;
  const { rows, text } = await settingsOf("start", [
    ...["--event-key", "event-secret", "--signing-key", signingKey, "--api-token", "api-secret"],
    ...["--secret-key", "store-secret", "--metrics-token", "metrics-secret"],
    ...["-u", "https://ada:pass-word@app.example.com/api/svc"],
  ]);
  for (const secret of [
    "event-secret",
    "abab",
    "api-secret",
    "store-secret",
    "metrics-secret",
    "pass-word",
  ]) {
    assert.ok(!text.includes(secret), secret);
  }
  for (const row of SETTING_LIST) if (row.kind.secret) assert.ok(!rows.has(row.name), row.name);
  assert.equal(rows.get("appUrls").value, "https://app.example.com/api/svc");
});
