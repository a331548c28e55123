import assert from "node:assert/strict";
import { test } from "node:test";
import { agentText } from "./agent-text.ts";

test("a browser is told by its name and system, whatever else it claims to be", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
  assert.equal(agentText(chrome), "Chrome on Linux");
  assert.equal(agentText(chrome.replace("Chrome", "HeadlessChrome")), "Chrome on Linux");
  assert.equal(agentText(`${chrome} Edg/140.0`), "Edge on Linux");
  assert.equal(
    agentText("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 Version/18.0 Safari/605.1"),
    "Safari on macOS",
  );
  assert.equal(
    agentText("Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0"),
    "Firefox on Windows",
  );
});

test("another program is told by its first word, and none as unknown", () => {
  assert.equal(agentText("curl/8.9.1"), "curl/8.9.1");
  assert.equal(agentText(null), "Unknown program");
  assert.equal(agentText(""), "Unknown program");
});
