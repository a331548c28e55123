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
 * A command that sends an event, for the shells of the reader's system.
 * @example curlCommand({ name: "a/b", data: {} }) // "curl http://localhost:8288/e/dev -d '{"name":"a/b","data":{}}'"
 */
export function curlCommand(event: { name: string; data: unknown }): string {
  const json = JSON.stringify(event);
  const quoted = /Windows/.test(navigator.userAgent)
    ? `"${json.replaceAll('"', '\\"')}"`
    : `'${json.replaceAll("'", "'\\''")}'`;
  return `curl ${sendUrl()} -d ${quoted}`;
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
