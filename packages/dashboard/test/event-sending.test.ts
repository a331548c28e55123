/** Sending events from the dashboard: replays, edited ones, copies for a dev server. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventRow, shop, shopTest } from "./shop-pages.ts";

shopTest("a replay is a new event, which can be opened", async (open) => {
  const id = await shop.send({ name: "replay/me", data: { n: 5 } });
  const page = await open(`/events/${id}`);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Open it" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await page.getByText("api · replay").first().waitFor();
});

shopTest("a key pressed again while the answer is on its way replays nothing twice", async (open) => {
  const id = await shop.send({ name: "replay/once" });
  const page = await open(`/events/${id}`);
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/replay", async (route) => {
    asked++;
    await held;
    await route.continue();
  });
  const button = page.getByRole("button", { name: "Replay" });
  await button.waitFor();
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelector('[role="toolbar"] button:disabled') !== null);
  await page.keyboard.press("r");
  await page.keyboard.press("r");
  answer();
  await page.getByText("Sent again as a new event.").waitFor();
  assert.equal(asked, 1);
});

shopTest("an event is edited and sent, and wrong ones are told before sending", async (open) => {
  const id = await shop.send({ name: "edit/me", data: { n: 5 } });
  const page = await open(`/events/${id}`);
  await page.getByRole("button", { name: "Edit and send" }).click();
  const editor = page.getByRole("textbox", { name: "Event as JSON" });
  await editor.waitFor();
  await page.getByText('"edit/me"').last().waitFor();
  await editor.fill('{"name":"","data":{}}');
  await page.locator(".cm-lint-marker-error").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Send Ctrl/ }).isDisabled(), true);
  await editor.fill('{"name":"edit/done","data":{"n":6}}');
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Event edit/done" }).waitFor();
});

shopTest("a row opens the event with all it carried, and sending can begin with it", async (open) => {
  await shop.send({ name: "begin/here", data: { city: "Bern" }, user: { id: 7 } });
  const page = await open("/events?name=begin/*");
  await eventRow(page, "begin/here").getByRole("link", { name: "begin/here" }).click();
  const panel = page.getByRole("region", { name: "Event begin/here" });
  await panel.getByText('"Bern"').waitFor();
  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Send event" }).click();
  const dialog = page.getByRole("dialog", { name: "Send event" });
  await dialog.getByLabel("Begin with").selectOption("begin/here");
  await dialog.getByText('"Bern"').waitFor();
  await dialog.getByText('"user"').waitFor();
});

shopTest(
  "a copy goes to the dev server that the reader names, which is remembered",
  async (open, atEnd) => {
    const received: unknown[] = [];
    const devServer = createServer(async (req, res) => {
      res.setHeader("access-control-allow-origin", "*");
      res.setHeader("access-control-allow-headers", "content-type");
      if (req.method === "OPTIONS") return res.writeHead(204).end();
      received.push(JSON.parse(Buffer.concat(await req.toArray()).toString()));
      res.end('{"ids":["x"],"status":200}');
    });
    await new Promise<void>((resolve) => devServer.listen(0, "127.0.0.1", resolve));
    const address = `http://localhost:${(devServer.address() as AddressInfo).port}/e/dev`;
    const dead = await closedAddress();
    atEnd(() => {
      devServer.closeAllConnections();
      devServer.close();
    });
    const id = await shop.send({ name: "copy/to-dev", data: { n: 1 } });
    const page = await open(`/events/${id}`);
    await page.evaluate((url) => localStorage.setItem("svc-dev-server", url), dead);
    await page.getByRole("button", { name: "Send to Dev Server" }).click();
    await page.getByText(`No dev server answers at ${dead}`).waitFor();
    await page.getByLabel("Address of the dev server").fill("https://example.com/e/dev");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(/Pages may only send to/).waitFor();
    await page.getByLabel("Address of the dev server").fill(address);
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(`A copy was sent to ${address}.`).waitFor();
    await page.getByRole("button", { name: "Send to Dev Server" }).click();
    await shop.service.eventually(() => assert.equal(received.length, 2));
    assert.deepEqual(received[0], { name: "copy/to-dev", data: { n: 1 } });
    // The browser itself tells of the server that was not there.
  },
  { expected: /ERR_CONNECTION_REFUSED/ },
);

shopTest("what is typed outlives everything but Cancel and sending", async (open) => {
  const page = await open("/events");
  const editor = page.getByRole("textbox", { name: "Event as JSON" });
  const begin = async () => {
    await page.keyboard.press("c");
    await editor.waitFor();
  };
  const typed = '{"name":"typed/long","data":{}}';
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await begin();
  await editor.fill(typed);
  await page.keyboard.press("Escape");
  await editor.waitFor({ state: "detached" });
  await begin();
  assert.equal(await editor.textContent(), typed);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await begin();
  assert.equal(await editor.textContent(), typed);
  await page.getByRole("button", { name: "Cancel" }).click();
  await editor.waitFor({ state: "detached" });
  await begin();
  assert.notEqual(await editor.textContent(), typed);
});

shopTest(
  "of several events the one that the service refuses is named, and nothing is lost",
  async (open) => {
    const page = await open("/events");
    await page.getByRole("button", { name: "Send event" }).click();
    const editor = page.getByRole("textbox", { name: "Event as JSON" });
    await editor.fill('[{"name":"several/a","data":{}},{"name":"several/b","data":{},"id":"\\u0000"}]');
    await page.getByRole("button", { name: /^Send 2 events/ }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /^Event 2: `id`/ })
      .waitFor();
    assert.match((await editor.textContent())!, /several\/a/);
  },
  { expected: /status of 400/ },
);

/** An address on which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://localhost:${port}/e/dev`;
}

shopTest("the page of a dev server sends copies to that one, whatever its port", async (open) => {
  const page = await open(`/events/${await shop.send({ name: "copy/here" })}`);
  await page.evaluate(() => localStorage.removeItem("svc-dev-server"));
  await page.getByRole("button", { name: "Send to Dev Server" }).click();
  await page.getByText(`A copy was sent to ${shop.service.url}/e/dev.`).waitFor();
  await shop.service.eventually(async () => {
    const { data } = await shop.service.api<{ data: unknown[] }>("/v1/events?name=copy/here");
    assert.equal(data.length, 2);
  });
});
