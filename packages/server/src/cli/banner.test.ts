import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { loadConfig } from "../config.ts";
import { banner, findApps, tryCommand } from "./banner.ts";

const url = "http://127.0.0.1:8288";
const config = (...argv: string[]) => loadConfig("dev", argv, {});

test("the banner says where events go, which app was found, and what to try", () => {
  const apps = [
    { name: "shop", url: "http://localhost:3000/api/svc", functions: 2, event: "shop/order.placed" },
  ];
  const text = banner({ url, config: config(), apps, colors: false });
  assert.match(text, /^\n {2}svc dev [^\n]+\n\n {2}Open {4}http:\/\/127\.0\.0\.1:8288 {2}the dashboard\n/);
  assert.match(text, /^ {2}Events {2}http:\/\/127\.0\.0\.1:8288\/e\/dev /m);
  assert.match(text, /^ {2}App {5}shop http:\/\/localhost:3000\/api\/svc {2}2 functions$/m);
  assert.match(
    text,
    /curl http:\/\/127\.0\.0\.1:8288\/e\/dev -d '\{"name":"shop\/order\.placed","data":\{"n":1\}\}'/,
  );
  assert.ok(!text.includes("\u001b"));
});

test("without an app the banner says how to give it one", () => {
  const says = (pattern: RegExp, ...argv: string[]) =>
    assert.match(banner({ url, config: config(...argv), apps: [], colors: false }), pattern);
  says(/none yet {2}start one, or name it with -u/);
  says(/waiting for http:\/\/localhost:4000\/api/, "-u", "localhost:4000/api");
  says(/none yet {2}name it with -u/, "--no-discovery");
  says(/in memory {2}gone when this ends/, "--in-memory");
});

test("the command to try survives quotes in every shell", () => {
  assert.equal(tryCommand(url, `{"a":"it's"}`, "linux"), `curl ${url}/e/dev -d '{"a":"it'\\''s"}'`);
  assert.equal(tryCommand(url, `{"a":1}`, "win32"), `curl ${url}/e/dev -d "{\\"a\\":1}"`);
});

test("apps are waited for, and a service that does not answer costs the banner nothing but them", async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    const data =
      request.url === "/v1/apps"
        ? ++asked < 2
          ? []
          : [{ id: "shop", name: "shop", url: "http://localhost:3000" }]
        : [
            {
              id: "shop-a",
              app: "shop",
              triggers: [{ cron: "* * * * *" }, { event: "shop/*" }, { event: "shop/a" }],
            },
          ];
    response.end(JSON.stringify({ data }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    assert.deepEqual(await findApps(address, 5_000), [
      { name: "shop", url: "http://localhost:3000", event: "shop/a", functions: 1 },
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.deepEqual(await findApps("http://127.0.0.1:1", 5_000), []);
});
