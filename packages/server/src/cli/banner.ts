/** What `svc dev` prints once it is up. */
import { setTimeout as delay } from "node:timers/promises";
import { styleText } from "node:util";
import type { Config } from "../config.ts";
import { version } from "./version.ts";

export interface FoundApp {
  name: string;
  url: string;
  /** An event that triggers one of its functions, to try. */
  event?: string | undefined;
  functions: number;
}

/**
 * The apps the service knows, waiting a little for the first one. Never fails: a banner without apps is
 * better than none.
 * @param url of the service
 * @param patienceMs longest wait for an app
 */
export async function findApps(url: string, patienceMs: number): Promise<FoundApp[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      const apps = await readList(`${url}/v1/apps`);
      if (apps.length > 0) return describeApps(apps, await readList(`${url}/v1/functions`));
    } catch {
      return [];
    }
    if (performance.now() > deadline) return [];
    await delay(100);
  }
}

type Item = Record<string, unknown>;

async function readList(url: string): Promise<Item[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
  const { data } = (await response.json()) as { data: Item[] };
  return data;
}

function describeApps(apps: Item[], functions: Item[]): FoundApp[] {
  return apps.map((app) => {
    const own = functions.filter(({ app: owner }) => owner === app.id || owner === app.name);
    const events = own.flatMap(({ triggers }) => (Array.isArray(triggers) ? triggers : []));
    const event = events.map((trigger) => trigger?.event).find((name) => /^[\w./-]+$/.test(name ?? ""));
    return { name: String(app.name ?? app.id), url: String(app.url ?? ""), event, functions: own.length };
  });
}

/**
 * The banner: addresses, apps, and one command to try.
 * @example banner({ url: "http://127.0.0.1:8288", config, apps: [], colors: false })
 */
export function banner(facts: {
  url: string;
  config: Config;
  apps: FoundApp[];
  colors: boolean;
  /** JSON of an event to suggest instead of one of ours. */
  exampleEvent?: string | undefined;
}): string {
  const { url, config, apps, colors } = facts;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const row = (label: string, value: string, note = "") =>
    `  ${paint("dim", label.padEnd(8))}${value}${note && `  ${paint("dim", note)}`}\n`;

  let text = `\n  ${paint(["bold", "green"], "svc dev")} ${paint("dim", version())}\n\n`;
  text += row("Open", paint(["bold", "cyan"], url + config.basePath.replace(/\/$/, "")), "the dashboard");
  text += row("Events", paint("cyan", `${url}/e/dev`), "any key will do");
  text += row("API", paint("cyan", `${url}/v1`));
  text += row("Data", config.dataDir ?? "in memory", config.dataDir ? "kept" : "gone when this ends");
  for (const app of apps) {
    const count = app.functions > 0 ? `${app.functions} function${app.functions === 1 ? "" : "s"}` : "";
    text += row("App", `${paint("bold", app.name)} ${paint("cyan", app.url)}`, count);
  }
  if (apps.length === 0) text += row("App", "none yet", appHint(config));
  const name = apps.find(({ event }) => event)?.event ?? "demo/hello";
  const event = facts.exampleEvent ?? JSON.stringify({ name, data: { n: 1 } });
  return `${text}\n${row("Try it", tryCommand(url, event))}${row("Then", `curl ${url}/v1/runs`)}\n`;
}

function appHint(config: Config): string {
  if (config.appUrls.length > 0) return `waiting for ${config.appUrls.join(", ")}`;
  return config.discovery ? "start one, or name it with -u <url>" : "name it with -u <url>";
}

/**
 * A command that can be pasted into the shells of this platform.
 * @param event JSON of the event to send
 * @example tryCommand("http://127.0.0.1:8288", '{"name":"shop/order.placed","data":{}}')
 */
export function tryCommand(url: string, event: string, platform = process.platform): string {
  const quoted =
    platform === "win32" ? `"${event.replaceAll('"', '\\"')}"` : `'${event.replaceAll("'", "'\\''")}'`;
  return `curl ${url}/e/dev -d ${quoted}`;
}
