/** The commands that pages show to be copied, pasted into a real shell. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { Client } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { startService } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { startApp } from "./office.ts";
import { officeTests } from "./office-pages.ts";

const officeTest = officeTests();
/** What the examples name as the address of an app. */
const EXAMPLE_APP = /https?:\/\/[\w.]+(:3000)?\/api\/svc/;

async function copied(page: TestPage): Promise<string> {
  await page.getByRole("button", { name: "Copy the command" }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

const paste = (command: string, env: Record<string, string> = {}) =>
  promisify(execFile)("/bin/sh", ["-c", command], { timeout: 10_000, env: { ...process.env, ...env } });

officeTest("in svc dev the commands of empty pages do what they say", async ({ open, atEnd }) => {
  const dev = await startService("dev");
  atEnd(dev.close);
  const app = await startApp({ baseUrl: dev.url }, ["confirm"]);
  atEnd(app.close);
  const page = await open(null, `${dev.url}/functions`);
  const first = await copied(page);
  await page.goto(`${dev.url}/apps`);
  const command = await copied(page);
  assert.equal(command, first);
  assert.match((await paste(command)).stdout, /"code":"sync_failed"|"id":/);
  await paste(command.replace(EXAMPLE_APP, app.url));
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  await page.goto(`${dev.url}/webhooks`);
  await paste(await copied(page));
  await page.reload();
  await page.getByRole("link", { name: "GitHub" }).waitFor();
  await page.goto(`${dev.url}/team`);
  // This service has its own port, and would keep another one from starting there.
  const port = Number(new URL(dev.url).port) + 1;
  assert.equal(await copied(page), `npx svc start --port ${port}`);
});

officeTest("the first event that is suggested is one that people may send", async ({ open, atEnd }) => {
  const dev = await startService("dev");
  atEnd(dev.close);
  const client = new Client({ id: "shop", baseUrl: dev.url, isDev: true });
  const functions = [
    client.createFunction({ id: "alarm", name: "Alarm" }, { event: "svc/function.failed" }, () => "told"),
    client.createFunction({ id: "ship", name: "Ship" }, { event: "shop/ordered" }, () => "shipped"),
  ];
  const app = createServer(serve({ client, functions }));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  app.unref();
  atEnd(() => app.closeAllConnections());
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/svc`;
  await fetch(`${dev.url}/v1/apps`, { method: "POST", body: JSON.stringify({ url }) });
  const page = await open(null, `${dev.url}/events`);
  await page.getByText("One function listens:").waitFor();
  const command = await copied(page);
  await page.getByRole("button", { name: "Send an event from here" }).click();
  await page.locator(".cm-content").getByText('"shop/ordered"').waitFor();
  await page.goto(`${dev.url}/runs`);
  await page.getByText("shop/ordered").waitFor();
  assert.equal(await copied(page), command);
  await page.goto(`${dev.url}/events`);
  await page.getByText("One function listens:").waitFor();
  await paste(command);
  await page.getByRole("img", { name: "shop-ship completed" }).waitFor();
});

officeTest("the commands of a branch are about that branch", async ({ open, office }) => {
  const name = "feature/checkout";
  await office.ada("POST", "/v1/environments", { name, type: "branch" });
  const { secret: key } = (await office.ada("POST", "/v1/event-keys?env=branches", { name: "previews" }))
    .data;
  const { secret: token } = (
    await office.ada("POST", "/v1/api-tokens", { name: "shell", scopes: ["read", "send", "manage"] })
  ).data;
  const env = { SVC_EVENT_KEY: key, SVC_API_TOKEN: token };
  const page = await open("Ada", `/runs?env=${name}`);
  await page.getByText("Nothing has run in this time").waitFor();
  const ofRuns = await copied(page);
  await page.goto(`${office.url}/events?env=${name}`);
  await page.getByText("Nothing was received yet").waitFor();
  await page.getByText("The command needs an event key of this environment").waitFor();
  assert.equal(await copied(page), ofRuns);
  await paste(ofRuns, env);
  await page.getByRole("link", { name: "demo/hello" }).click();
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "curl" }).click();
  await page.getByText("Copied as curl.").waitFor();
  await paste(await page.evaluate(() => navigator.clipboard.readText()), env);
  const received = async () => (await office.ada("GET", `/v1/events?env=${name}`)).data.length;
  assert.equal(await received(), 2);
  await page.goto(`${office.url}/functions?env=${name}`);
  assert.match((await paste(await copied(page), env)).stdout, /"code":"sync_failed"/);
  await page.goto(`${office.url}/settings?tab=about&env=${name}`);
  assert.equal(JSON.parse((await paste(await copied(page), env)).stdout).data.length, 2);
});

officeTest("the parent of all branches says that a branch has to be chosen", async ({ open }) => {
  const page = await open("Ada", "/events?env=branches");
  for (const what of ["Events", "Runs", "Functions", "Apps"]) {
    await page.getByRole("link", { name: what, exact: true }).click();
    await page.getByText(`${what} belong to one branch`).waitFor();
  }
});
