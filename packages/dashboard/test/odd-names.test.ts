/** Names as long and as odd as the service takes them, on every page that shows them. */
import assert from "node:assert/strict";
import { startService, type TestService } from "../../../test/service.ts";
import { startApp } from "./office.ts";
import { assertClean, FEW_LOOKS, lookText, pageTests, pathsOf } from "./page-tests.ts";

let service: TestService;
const oddTest = pageTests({
  start: async () => {
    service = await startService("dev");
    return [service];
  },
  opening: pathsOf(() => service.url),
});

const NAMES = ["w".repeat(200), "a b/c?d#e%2Ff", "<b>x</b>\"'"];

oddTest("no name is wider than its page, and each can be opened and loaded anew", async (open, atEnd) => {
  const app = await startApp({ baseUrl: service.url, id: "odd" }, NAMES);
  atEnd(() => app.close());
  const headers = { "content-type": "application/json" };
  const synced = await fetch(`${service.url}/v1/apps`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url: app.url }),
  });
  assert.equal(synced.status, 200, await synced.text());
  for (const name of NAMES) {
    const body = JSON.stringify({ name: `shop/${name}`, data: { [name.repeat(4)]: name.repeat(9) } });
    const { ids } = (await (
      await fetch(`${service.url}/e/dev`, { method: "POST", headers, body })
    ).json()) as {
      ids: [string];
    };
    const run = await service.finishedRun(ids[0]);
    const places = [
      `/functions/${encodeURIComponent(run.function_id)}`,
      "/functions",
      `/runs/${run.id}`,
      `/events/${ids[0]}`,
    ];
    for (const look of FEW_LOOKS) {
      const page = await open("about:blank", look);
      for (const place of places) {
        await page.goto(service.url + place);
        await page.getByText(name).filter({ visible: true }).first().waitFor();
        await assertClean(page, `${place.slice(0, 60)}, ${lookText(look)},`);
      }
      await page.close();
    }
  }
});
