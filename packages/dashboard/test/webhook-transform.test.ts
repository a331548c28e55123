/** The transform of a webhook in a real browser: its tester, saving, its history. */
import assert from "node:assert/strict";
import type { TestPage } from "./browser.ts";
import { dev, hookTest, inbox, requestsOf, tester } from "./hook-pages.ts";
import { SHOP_TRANSFORM, shopHook } from "./hooks.ts";

const code = (page: TestPage) => page.getByRole("textbox", { name: "Transform code" });
const editCode = async (page: TestPage, text: string) => {
  await code(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};

hookTest("the tester runs the transform while it is typed, and an error leads to its line", async (open) => {
  const hook = await shopHook(dev, "Tester");
  const accepted = (await requestsOf(dev, hook.id)).find(({ status }) => status === "accepted")!;
  const page = await open(`/webhooks/${hook.id}?input=${accepted.id}`);
  await tester(page).getByText("1 event").waitFor();
  await tester(page).getByText("action created").waitFor();
  assert.match((await tester(page).textContent()) ?? "", /\d ms/);

  await editCode(page, SHOP_TRANSFORM.replace("shop/order.", "store/order."));
  await tester(page).locator("code", { hasText: "store/order.created" }).waitFor();
  await editCode(page, "function transform(evt) {\n  return null;\n  const = 1;\n}");
  await tester(page).getByText("The code cannot be read").waitFor();
  await page.locator(".cm-lint-marker-error").waitFor();
  await editCode(page, "function transform(evt) {\n  let order;\n\n  return { name: order.id };\n}");
  await tester(page).getByText("The transform threw").waitFor();
  await tester(page)
    .getByRole("button", { name: /at line 4/ })
    .click();
  await page.waitForFunction(() =>
    document.querySelector(".cm-activeLine")?.textContent?.includes("order.id"),
  );
  assert.ok(await code(page).evaluate((element) => element.contains(document.activeElement)));

  await editCode(
    page,
    "const transform = (evt, headers, query) => ({ name: 'a/b', data: { evt, tag: headers['X-Tag'], q: query } })",
  );
  await page.getByRole("textbox", { name: "Incoming Event JSON" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{"by": "hand"}');
  await page.getByRole("button", { name: /^Headers/ }).click();
  await page
    .getByLabel("Headers", { exact: true })
    .fill("Content-Type: application/json\nX-Tag: green\nwrong");
  await page.getByText("Line 3: expected a name").waitFor();
  await page.getByRole("button", { name: /^Query/ }).click();
  await page.getByLabel("Query string").fill("source=shop");
  for (const text of ['"hand"', '"green"', '"shop"']) await tester(page).getByText(text).waitFor();
});

hookTest("the body is shown laid out, and is sent exactly as it came", async (open) => {
  const hook = await dev.create({
    name: "Raw",
    transform: "const transform = (evt, headers, query, raw) => ({ name: 'a', data: { raw } })",
  });
  await dev.post(hook, '{"big":12345678901234567890}');
  const page = await open(`/webhooks/${hook.id}`);
  await page
    .getByRole("textbox", { name: "Incoming Event JSON" })
    .getByText("12345678901234567890")
    .waitFor();
  await tester(page).getByText('"{\\"big\\":12345678901234567890}"').waitFor();
});

hookTest("a body that is no text is tried as it came", async (open) => {
  const hook = await dev.create({
    name: "Bytes",
    transform:
      "const transform = (evt, headers, query, raw) => ({ name: 'bytes/came', data: { length: raw.length } })",
  });
  await fetch(hook.url, { method: "POST", body: new Uint8Array([0xff, 0xfe, 0x00, 0x81]) });
  const page = await open(`/webhooks/${hook.id}`);
  await page.getByText("This body is no text.").waitFor();
  await tester(page).locator("code", { hasText: "bytes/came" }).waitFor();
});

hookTest("samples of producers are at hand, and stand in the address", async (open) => {
  const hook = await dev.create({ name: "Samples", starter: "stripe" });
  const page = await open(`/webhooks/${hook.id}`);
  await tester(page).locator("code", { hasText: "stripe/" }).waitFor();
  await page.getByLabel("Request to try it on").selectOption("sample shopify.0");
  await page.waitForURL(/sample=shopify\.0/);
});

hookTest("an event that is previewed goes to the dev server", async (open) => {
  const hook = await shopHook(dev, "Sent on");
  const accepted = (await requestsOf(dev, hook.id)).find(({ status }) => status === "accepted")!;
  const page = await open(`/webhooks/${hook.id}?input=${accepted.id}`);
  const address = `http://127.0.0.1:${new URL(dev.service.url).port}/e/dev`;
  await page.evaluate((url) => localStorage.setItem("svc-dev-server", url), address);
  await tester(page).getByRole("button", { name: "Send to Dev Server" }).click();
  await page.getByText(`A copy was sent to ${address}`).waitFor();
  const { data } = await dev.call("GET", "/v1/events?name=shop/order.created&source=key");
  assert.ok(data.length > 0);
});

hookTest("saving shows first what becomes of the last requests", async (open) => {
  const hook = await shopHook(dev, "Saved");
  const page = await open(`/webhooks/${hook.id}`);
  await editCode(
    page,
    SHOP_TRANSFORM.replace(
      '"shop/order." + evt.action',
      '"shop/" + (evt.order ? "order" : "other")',
    ).replaceAll("evt.order", "(evt.order ?? {})"),
  );
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Save as version 2" });
  await dialog
    .getByText("Of the last 5 requests: 3 with other events, 1 that fails no more, 1 as before.")
    .waitFor();
  await dialog.getByText("Other events", { exact: true }).first().click();
  await dialog.getByText('"name": "shop/order.created"').first().waitFor();
  const before = (await dev.call("GET", `/v1/webhooks/${hook.id}`)).data;
  assert.equal(before.version, 1, "nothing is saved before it is confirmed");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 2 is in use.").waitFor();
  const { version, transform } = (await dev.call("GET", `/v1/webhooks/${hook.id}`)).data;
  assert.equal(version, 2);
  assert.match(transform, /"shop\/"/);
  await page.getByRole("button", { name: "Look at requests that failed" }).click();
  await page.waitForURL(/tab=requests&status=failed|status=failed&tab=requests/);
});

hookTest(
  "a version that somebody else saved meanwhile is shown, and written over only on purpose",
  async (open) => {
    const hook = await shopHook(dev, "Conflict");
    const page = await open(`/webhooks/${hook.id}`);
    await editCode(page, `// mine\n${SHOP_TRANSFORM}`);
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/Of the last 5 requests/).waitFor();
    await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// theirs\n${SHOP_TRANSFORM}` });
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await dialog.getByText("Version 2 was saved while you were editing").waitFor();
    await dialog.getByText("// theirs").waitFor();
    assert.equal((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.version, 2);
    await dialog.getByRole("button", { name: "Save over version 2" }).click();
    await page.getByText("Version 3 is in use.").waitFor();
    assert.match((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.transform, /^\/\/ mine/);
  },
  { expected: /409/ },
);

hookTest("what is not saved survives a look at another tab, and leaving asks first", async (open) => {
  const hook = await shopHook(dev, "Unsaved");
  const page = await open(`/webhooks/${hook.id}`);
  await editCode(page, `// half done\n${SHOP_TRANSFORM}`);
  await page.getByRole("tab", { name: /Transform.*not saved/ }).waitFor();
  await page.getByRole("tab", { name: /Requests/ }).click();
  await inbox(page).waitFor();
  await page.getByRole("tab", { name: /Transform/ }).click();
  await code(page).getByText("// half done").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await code(page).getByText("// half done").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("button", { name: "Leave, and lose them" }).click();
  await page.waitForURL(/\/events/);
});

hookTest("the history shows what each version changed, and an older one is restored", async (open) => {
  const hook = await shopHook(dev, "History");
  await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// second\n${SHOP_TRANSFORM}` });
  const page = await open(`/webhooks/${hook.id}`);
  await page.getByRole("button", { name: "History" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions of the transform" });
  await dialog.getByText("// second").waitFor();
  await dialog.getByRole("button", { name: /Version 1/ }).click();
  await page.waitForURL(/version=1/);
  await dialog.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByText("Version 1 is in use again, as version 3.").waitFor();
  assert.equal((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.transform, SHOP_TRANSFORM);
});
