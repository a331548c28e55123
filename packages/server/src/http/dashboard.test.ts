import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createDashboard, withoutBasePath } from "./dashboard.ts";

const dir = mkdtempSync(join(tmpdir(), "svc-dashboard-"));
mkdirSync(join(dir, "assets"));
writePage("one");
writeFileSync(join(dir, "assets/index-abc.js"), "export const n = 1;");
writeFileSync(join(dir, "assets/index-abc.js.gz"), gzipSync("export const n = 1;"));
writeFileSync(join(dir, "secret.txt"), "no");

const serve = async (place: string, basePath = "/", exampleEvent?: string) => {
  const dashboard = createDashboard({ dir: place, basePath, mode: "dev", version: "1.2.3", exampleEvent });
  const server = createServer((req, res) => {
    if (!dashboard(req, res, req.url!.split("?")[0]!)) res.writeHead(404).end("not taken");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return (server.address() as AddressInfo).port;
};
const port = await serve(dir);
after(() => rmSync(dir, { recursive: true }));

function writePage(word: string) {
  writeFileSync(join(dir, "index.html"), `<!doctype html><html><head><title>${word}</title></head></html>`);
}

/** A request as it is: fetch would unpack bodies and hide what was sent. */
function get(path: string, headers: Record<string, string> = {}, method = "GET", at = port) {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request({ port: at, host: "127.0.0.1", path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("end", () =>
        resolve({
          status: res.statusCode!,
          headers: res.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("every address a browser asks for shows the page, with its base and what the service is", async () => {
  for (const path of ["/", "/events", "/events/01ABC?range=1h", "/webhooks/wh_1/requests"]) {
    const { status, headers, body } = await get(path, html);
    assert.equal(status, 200, path);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.match(body.toString(), /<head><base href="\/"><meta name="svc-mode" content="dev">/);
    assert.match(body.toString(), /content="1\.2\.3"/);
  }
});

test("the page has the event to begin with, whatever signs are in it", async () => {
  const event = JSON.stringify({ name: "a/b", data: { text: `"><script>&amp;` } });
  const body = (await get("/", html, "GET", await serve(dir, "/", event))).body.toString();
  const written = /<meta name="svc-example-event" content="([^"]*)">/.exec(body)![1]!;
  const read = written.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  assert.equal(read, event);
  assert.ok(!body.includes("<script"));
  assert.ok(!(await get("/", html)).body.includes("svc-example-event"));
});

test("addresses of programs are not taken, whatever they accept", async () => {
  for (const path of ["/v1/nothing", "/e/key", "/fn/x", "/dev/x", "/health/x", "/assets/none.js"]) {
    assert.equal((await get(path, html)).status, 404, path);
  }
  assert.equal((await get("/events", { accept: "*/*" })).status, 404);
  assert.equal((await get("/events", html, "POST")).status, 404);
});

test("the page runs no script but its own, and is shown in no frame", async () => {
  const { headers, body } = await get("/", html);
  const policy = headers["content-security-policy"]!;
  assert.match(policy, /(^|; )script-src 'self'(;|$)/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
  assert.ok(body.includes(`<meta name="svc-nonce" content="${nonce}">`));
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["referrer-policy"], "no-referrer");
});

test("the page is asked for again each time, and not sent again while it is the same", async () => {
  const first = await get("/", html);
  assert.equal(first.headers["cache-control"], "no-cache");
  const again = await get("/runs", { ...html, "if-none-match": `W/${first.headers.etag}` });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test("a file of the build may be kept for ever, and comes packed to whoever takes that", async () => {
  const plain = await get("/assets/index-abc.js");
  assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
  assert.equal(plain.body.toString(), "export const n = 1;");
  const packed = await get("/assets/index-abc.js", { "accept-encoding": "br, gzip" });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.equal(packed.headers.vary, "accept-encoding");
  assert.deepEqual(packed.body, gzipSync("export const n = 1;"));
  const refused = await get("/assets/index-abc.js", { "accept-encoding": "gzip;q=0" });
  assert.equal(refused.headers["content-encoding"], undefined);
});

test("nothing outside the folder of files can be reached", async () => {
  for (const path of ["/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/..%2fsecret.txt"]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test("HEAD has the headers of GET and no body", async () => {
  const { status, headers, body } = await get("/assets/index-abc.js", {}, "HEAD");
  assert.deepEqual([status, headers["content-length"], body.length], [200, "19", 0]);
});

test("a new build is shown without a restart", async () => {
  writePage("two");
  utimesSync(join(dir, "index.html"), new Date(), new Date(Date.now() + 5_000));
  assert.match((await get("/", html)).body.toString(), /<title>two/);
});

test("without a build the page says how to make one", async () => {
  const at = await serve(join(dir, "none"));
  const { status, body } = await get("/", html, "GET", at);
  assert.equal(status, 503);
  assert.match(body.toString(), /npm run build/);
});

test("under a base path the page says where it is", async () => {
  const at = await serve(dir, "/svc/");
  assert.match((await get("/", html, "GET", at)).body.toString(), /<base href="\/svc\/">/);
});

test("the base path is taken off only where it stands whole", () => {
  const cases = ["/svc/v1?x=1", "/svc", "/svc?x=1", "/svcs/v1", "/v1", "/svc/"];
  const expected = ["/v1?x=1", "/", "/?x=1", "/svcs/v1", "/v1", "/"];
  assert.deepEqual(
    cases.map((url) => withoutBasePath(url, "/svc/")),
    expected,
  );
  assert.equal(withoutBasePath("/v1", "/"), "/v1");
});
