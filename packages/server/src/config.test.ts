import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ConfigError, loadConfig, nearest } from "./config.ts";
import { SETTING_LIST } from "./settings.ts";

const KEY = "svc_evt_0123456789abcdef";
const start = (argv: string[] = [], env: Record<string, string> = {}) =>
  loadConfig("start", argv, { SVC_EVENT_KEY: KEY, ...env });
const dev = (argv: string[] = [], env: Record<string, string> = {}) => loadConfig("dev", argv, env);
const refuses = (run: () => unknown, sentence: RegExp) =>
  assert.throws(run, (error) => error instanceof ConfigError && sentence.test(error.message));

test("svc dev needs no settings at all", () => {
  const config = dev();
  assert.equal(config.host, "127.0.0.1");
  assert.equal(config.port, 8288);
  assert.equal(config.dataDir, ".svc/");
  assert.equal(config.discovery && config.poll, true);
  assert.equal(config.maxRequestBytes, 524_288);
  assert.equal(config.retentionMs, 30 * 86_400_000);
  assert.deepEqual(config.eventKeys, []);
});

test("svc start needs no keys: people make them", () => {
  const { eventKeys, signingKeys, apiTokens } = loadConfig("start", [], {});
  assert.deepEqual([eventKeys, signingKeys, apiTokens], [[], [], []]);
});

test("svc start listens on every address and keeps its data in ./svc-data", () => {
  const config = start();
  assert.equal(config.host, "0.0.0.0");
  assert.equal(config.dataDir, "./svc-data");
  assert.equal(config.logFormat, "json");
  assert.equal(config.discovery, false);
});

test("a flag wins over a variable and a variable over the default", () => {
  assert.equal(dev([], { SVC_PORT: "9000" }).port, 9000);
  assert.equal(dev(["-p", "9001"], { SVC_PORT: "9000" }).port, 9001);
  assert.equal(dev(["--port=9002", "--port", "9003"]).port, 9003);
  assert.equal(dev([], { SVC_PORT: "" }).port, 8288);
});

test("lists are repeated as flags and separated by commas as variables", () => {
  assert.deepEqual(dev(["-u", "localhost:3000/api/svc", "--url", "https://shop.example"]).appUrls, [
    "http://localhost:3000/api/svc",
    "https://shop.example/",
  ]);
  assert.deepEqual(start([], { SVC_EVENT_KEY: `${KEY}, ${KEY}2,` }).eventKeys, [KEY, `${KEY}2`]);
  assert.deepEqual(start(["--event-key", `${KEY}3`]).eventKeys, [`${KEY}3`], "flags replace the variable");
});

test("switches are turned on and off by flag, by =value and by variable", () => {
  assert.equal(dev(["--no-discovery"]).discovery, false);
  assert.equal(dev(["--no-poll"], { SVC_POLL: "true" }).poll, false);
  assert.equal(dev([], { SVC_DISCOVERY: "off" }).discovery, false);
  assert.equal(dev(["--trust-proxy"]).trustProxy, true);
  assert.equal(dev(["--trust-proxy=false"], { SVC_TRUST_PROXY: "1" }).trustProxy, false);
  refuses(() => dev(["--trust-proxy=perhaps"]), /--trust-proxy: "perhaps" is not `true` or `false`/);
});

test("--in-memory leaves no data directory", () => {
  const config = dev(["--in-memory", "--data-dir", "elsewhere"]);
  assert.equal(config.dataDir, null);
  assert.ok(!("inMemory" in config));
});

test("an unknown flag is answered with the nearest one", () => {
  refuses(() => dev(["--prot", "9000"]), /^--prot is not a flag of `svc dev`. Did you mean --port\?$/);
  refuses(() => dev(["--no-discover"]), /Did you mean --no-discovery\?/);
  refuses(() => dev(["--no-port"]), /--no-port is not a flag/);
  refuses(() => dev(["--zzzzzzzz"]), /`svc help dev` lists all flags/);
  refuses(() => dev(["leftover"]), /"leftover" is not expected here/);
  assert.equal(nearest("--xyz", ["--port"]), undefined);
});

test("a flag of the other mode is refused by name; its variable is left alone", () => {
  refuses(() => start(["--no-poll"]), /--no-poll is a flag of `svc dev` only/);
  assert.equal(start([], { SVC_POLL: "true" }).poll, false);
});

test("a bad value is answered with its source and an example", () => {
  refuses(() => dev(["--port", "70000"]), /^--port: "70000" is not a whole number from 0 to 65535\.$/);
  refuses(() => dev([], { SVC_RETENTION: "30" }), /^SVC_RETENTION: "30" is not a duration .* 30d/);
  refuses(() => dev(["--max-request-size", "1 potato"]), /"1 potato" is not a size .* 512KiB/);
  refuses(() => dev(["--log-level", "loud"]), /one of debug, info, warn, error, silent/);
  refuses(() => dev(["-u", "ftp://x"]), /-u: "ftp:\/\/x" is not an http\(s\) address/);
  refuses(() => dev(["--port"]), /--port needs a value/);
  refuses(() => dev(["--host", "--port", "1"]), /--host needs a value/);
});

test("a secret is never repeated in a message", () => {
  for (const flag of ["--event-key", "--signing-key", "--api-token", "--metrics-token"]) {
    try {
      start([flag, "hush hush"]);
      assert.fail(`${flag} took a key with a space`);
    } catch (error) {
      assert.match((error as Error).message, new RegExp(`^${flag}: the value given is not`));
      assert.doesNotMatch((error as Error).message, /hush/);
    }
  }
});

test("durations and sizes are taken with their units", () => {
  const config = dev(["--retention", "12h", "--retention-size", "2GiB", "--retry-base", "50ms"]);
  assert.equal(config.retentionMs, 43_200_000);
  assert.equal(config.retentionBytes, 2 ** 31);
  assert.equal(config.retryBaseMs, 50);
  assert.equal(dev(["--max-request-size", "1MB"]).maxRequestBytes, 1_000_000);
});

test("no two settings share a flag or a variable, and each variable begins with SVC_", () => {
  for (const column of ["flag", "env"] as const) {
    assert.equal(new Set(SETTING_LIST.map((row) => row[column])).size, SETTING_LIST.length);
  }
  for (const row of SETTING_LIST) assert.match(row.env, /^SVC_[A-Z_]+$/);
});

test("every default is a value that its own setting would take", () => {
  for (const row of SETTING_LIST) {
    for (const mode of row.modes) {
      const value = row.defaults[mode];
      if (value === null || Array.isArray(value)) continue;
      assert.deepEqual(row.kind.parse(row.kind.show(value as never)), value, row.name);
    }
  }
});

test("whatever is typed gives a configuration or a sentence", () => {
  const word = fc.oneof(
    fc.constantFrom(...SETTING_LIST.flatMap((row) => [`--${row.flag}`, `--no-${row.flag}`, row.env])),
    fc.string(),
    fc.constantFrom("-", "--", "-u", "-up", "--=", "--port=", "1", "__proto__", "--__proto__"),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (argv) => {
      try {
        dev(argv);
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
      }
    }),
  );
});
