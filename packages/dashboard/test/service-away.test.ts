/** Pages that are open while the service is stopped and started again. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../server/src/config.ts";
import { silentLogger } from "../../server/src/observe/log.ts";
import { startServer } from "../../server/src/server.ts";
import { type AtEnd, pageTests } from "./page-tests.ts";
import { eventRow } from "./shop-pages.ts";

/** What the browser says of a service that is not there. */
const AWAY =
  /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY|ERR_NETWORK|dynamically imported/;

const awayTest = pageTests({ start: async () => [], opening: (newPage) => newPage, expected: AWAY });

/** A service that keeps its data and its port when it starts again. */
async function startAgainAndAgain(atEnd: AtEnd) {
  const dir = mkdtempSync(join(tmpdir(), "svc-away-"));
  const start = (port: string) => {
    const args = ["--no-discovery", "--no-poll", "--data-dir", dir, "--host", "127.0.0.1", "--port", port];
    return startServer(loadConfig("dev", args, {}), { logger: silentLogger });
  };
  let server = await start("0");
  const { url } = server;
  atEnd(async () => {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    url,
    stop: () => server.close(),
    start: async () => {
      server = await start(new URL(url).port);
    },
    async send(name: string): Promise<string> {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ name, data: { n: 1 } });
      const answer = await fetch(`${url}/e/dev`, { method: "POST", headers, body });
      return ((await answer.json()) as { ids: string[] }).ids[0]!;
    },
  };
}

awayTest("live events go on by themselves, without a gap or a double", async (open, atEnd) => {
  const service = await startAgainAndAgain(atEnd);
  const id = await service.send("away/before");
  const page = await open();
  await page.goto(`${service.url}/events/${id}`);
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await service.stop();
  await page.getByText("Connecting").waitFor();
  await service.start();
  await service.send("away/meanwhile");
  await eventRow(page, "away/meanwhile").waitFor({ timeout: 20_000 });
  await service.send("away/after");
  await eventRow(page, "away/after").waitFor();
  for (const name of ["away/before", "away/meanwhile", "away/after"]) {
    assert.equal(await eventRow(page, name).count(), 1, name);
  }
  await page.getByRole("region", { name: "Payload" }).waitFor();
});

awayTest(
  "a page opened while the service is away says so, and loads when it answers",
  async (open, atEnd) => {
    const service = await startAgainAndAgain(atEnd);
    const page = await open();
    await page.goto(`${service.url}/functions`);
    await page.getByText("No function is registered").waitFor();
    await service.stop();
    await page.getByRole("link", { name: "Apps", exact: true }).click();
    await page.getByText(/This page could not be loaded\. The service may be restarting/).waitFor();
    assert.equal(new URL(page.url()).pathname, "/apps");
    await service.start();
    await page.getByRole("heading", { name: "Apps", exact: true }).waitFor({ timeout: 20_000 });
  },
);

awayTest(
  "what could not be read is read when the service answers again",
  async (open, atEnd) => {
    const service = await startAgainAndAgain(atEnd);
    const id = await service.send("away/panel");
    const page = await open();
    // The panel's own part is there before the service goes.
    await page.goto(`${service.url}/events/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
    await page.getByRole("heading", { name: "There is no such event" }).waitFor();
    await eventRow(page, "away/panel").waitFor();
    await service.stop();
    await eventRow(page, "away/panel").getByRole("link", { name: "away/panel" }).click();
    await page.getByText("The service does not answer.").waitFor({ timeout: 15_000 });
    await service.start();
    await page
      .getByRole("region", { name: "Event away/panel" })
      .getByRole("region", { name: "Payload" })
      .waitFor({
        timeout: 20_000,
      });
    assert.ok(page.url().endsWith(id));
  },
  { expected: /status of 404/ },
);
