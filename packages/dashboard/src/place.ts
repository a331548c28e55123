/** Where this page came from, as the service wrote it into index.html. */

/** Path of the dashboard, with a slash at both ends: `/`, or `/svc/` behind a proxy. */
export const basePath = new URL(document.baseURI).pathname;

/** What the service runs as; `svc dev` has one environment and nobody logs in. */
export const mode: "dev" | "start" = meta("svc-mode") === "start" ? "start" : "dev";

/** Version of the service. */
export const version = meta("svc-version") ?? "";

/** Lets <style> elements through the content security policy. */
export const nonce = meta("svc-nonce") ?? "";

/**
 * The address of something the service has, absolute.
 * @example serviceUrl("e/dev") // "http://localhost:8288/e/dev"
 */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ""), document.baseURI).href;
}

/**
 * Where events are sent, for commands to be copied: `svc dev` takes any key, elsewhere the shell has to know one.
 * @example sendUrl() // "https://events.example.com/e/$SVC_EVENT_KEY"
 */
export function sendUrl(): string {
  return serviceUrl(mode === "dev" ? "e/dev" : "e/$SVC_EVENT_KEY");
}

/** An event that is worth sending to begin with: the service knows one when it was started with an example app. */
export const exampleEvent: { name: string; data: unknown } = readExample() ?? {
  name: "demo/hello",
  data: { n: 1 },
};

/**
 * What a command that sends adds for the environment that is shown: all branches have the same keys, so one has to be named.
 * @example environmentOption() // " -H 'x-svc-env: feature/checkout'"
 */
export function environmentOption(): string {
  const name = environment();
  return mode === "dev" || name === "" ? "" : ` -H ${quoted(`x-svc-env: ${name}`)}`;
}

/**
 * A command that sends an event, for the shells of the reader's system.
 * @example curlCommand({ name: "a/b", data: {} }) // "curl http://localhost:8288/e/dev -d '{"name":"a/b","data":{}}'"
 */
export function curlCommand(event: { name: string; data: unknown }): string {
  return `curl ${sendUrl()}${environmentOption()} -d ${quoted(JSON.stringify(event))}`;
}

/**
 * A command that asks the API about the environment that is shown: `svc dev` wants no token, elsewhere the shell has to know one.
 * @param body sent as JSON; without one the command reads
 * @example apiCommand("v1/apps", { url }) // `curl http://localhost:8288/v1/apps -d '{"url":"http://localhost:3000/api/svc"}'`
 */
export function apiCommand(path: string, body?: unknown): string {
  const name = mode === "dev" ? "" : environment();
  const url = serviceUrl(path);
  const parts = [
    "curl",
    name === "" ? url : quoted(`${url}?env=${encodeURIComponent(name)}`),
    // In double quotes: the shell is to put the token in.
    ...(mode === "dev" ? [] : ['-H "authorization: Bearer $SVC_API_TOKEN"']),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(" ");
}

/** One word of a command, for the shells of the reader's system. */
function quoted(text: string): string {
  return /Windows/.test(navigator.userAgent)
    ? `"${text.replaceAll('"', '\\"')}"`
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Name of the environment that the address asks for; empty for that of the credentials. */
export function environment(): string {
  return new URLSearchParams(window.location.search).get("env") ?? "";
}

function meta(name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? undefined;
}

function readExample(): { name: string; data: unknown } | undefined {
  try {
    const { name, data } = JSON.parse(meta("svc-example-event") ?? "null");
    return typeof name === "string" ? { name, data } : undefined;
  } catch {
    return undefined;
  }
}
