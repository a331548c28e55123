/** `svc webhooks pull`: from a service into a folder. What was changed in the folder stays unless it is given up. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Script } from "node:vm";
import { MAX_SOURCE_BYTES } from "../../webhooks/sandbox/sandbox.ts";
import { CommandFailure, type Output, plain } from "./failure.ts";
import { makeFolder, namesIn, readText, writeText } from "./folder.ts";
import { checksum, type Entry, freshSlug, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { matchWebhooks, pulledFrom, SETTINGS, settingsApart } from "./match.ts";
import type { Served, ServedRequest, Service } from "./service.ts";

export interface PullOptions {
  folder: string;
  /** Take what the service has, whatever was changed here. */
  force: boolean;
  /** Requests of each webhook to save as fixtures. */
  fixtures: number;
}

/** Write the webhooks of a service into a folder. @returns the exit code */
export async function pull(service: Service, options: PullOptions, output: Output): Promise<number> {
  const { folder, fixtures } = options;
  const served = await service.webhooks();
  await mkdir(folder, { recursive: true }).catch(({ code }) => {
    throw new CommandFailure(`${plain(folder)} cannot be made (${code}).`);
  });
  const manifest: Manifest = (await readManifest(folder)) ?? { webhooks: new Map(), pulled: new Map() };
  const { pairs, others } = matchWebhooks(manifest, served);
  const slugs = new Map([...pairs].map(([slug, webhook]) => [webhook, slug]));
  for (const webhook of others) {
    const slug = freshSlug(webhook.name, new Set([...manifest.webhooks.keys(), ...slugs.values()]));
    slugs.set(webhook, slug);
  }
  for (const webhook of served) {
    const slug = slugs.get(webhook)!;
    output.say(`${slug}  ${await pullOne(manifest, slug, webhook, options)}`);
    // After each one: what was written is known, whatever comes next.
    await writeManifest(folder, manifest);
    if (fixtures > 0) {
      const saved = await saveFixtures(folder, slug, await service.requests(webhook.id, fixtures));
      if (saved > 0)
        output.say(`${slug}  ${saved} requests saved in fixtures/${slug}, without Authorization and Cookie`);
    }
  }
  for (const [slug] of manifest.webhooks) {
    if (![...slugs.values()].includes(slug))
      output.say(`${slug}  only here: the service has no such webhook`);
  }
  if (served.length === 0) output.say("The service has no webhooks in this environment.");
  await writeManifest(folder, manifest);
  return 0;
}

/** @returns what was done, for people */
async function pullOne(
  manifest: Manifest,
  slug: string,
  served: Served,
  { folder, force }: PullOptions,
): Promise<string> {
  const entry = manifest.webhooks.get(slug);
  const base = manifest.pulled.get(served.id);
  const extension = isTypeScript(served.transform) ? "ts" : "js";
  if (entry === undefined)
    return await pullNew(manifest, slug, served, `${slug}.${extension}`, { folder, force });

  const path = join(folder, entry.file);
  const local = await readText(path, MAX_SOURCE_BYTES);
  const sha256 = checksum(served.transform);
  const sameCode = local === served.transform;
  const apart = settingsApart(entry, served);
  const codeKept = !sameCode && !force && local !== null && checksum(local) !== base?.sha256;
  // Of the settings, too: what is here is either what was pulled, or what somebody has written since.
  const settingsKept =
    !force &&
    (base === undefined ? apart : settingsApart(entry, base)).some((setting) => apart.includes(setting));
  if (codeKept || settingsKept) {
    const what = [...(codeKept ? [entry.file] : []), ...(settingsKept ? apart : [])].join(" and ");
    const moved = base !== undefined && base.version !== served.version;
    const there = moved ? `, and the service has version ${served.version} instead of ${base.version}` : "";
    return `kept: ${what} was changed here${there}; --force takes what the service has`;
  }
  const done: string[] = [];
  if (!sameCode) {
    const file = entry.file.replace(/\.(?:js|ts)$/i, `.${extension}`);
    await writeText(join(folder, file), served.transform);
    if (file !== entry.file) await rm(path, { force: true });
    entry.file = file;
    const from = base === undefined ? "" : `version ${base.version} -> `;
    done.push(`${file} (${from}${base === undefined ? "version " : ""}${served.version})`);
  }
  if (apart.length > 0)
    Object.assign(entry, Object.fromEntries(apart.map((setting) => [setting, served[setting]])));
  manifest.pulled.set(served.id, pulledFrom(slug, served, sha256));
  return done.length + apart.length === 0 ? "unchanged" : `updated: ${[...done, ...apart].join(", ")}`;
}

async function pullNew(
  manifest: Manifest,
  slug: string,
  served: Served,
  file: string,
  { folder, force }: Pick<PullOptions, "folder" | "force">,
): Promise<string> {
  const local = await readText(join(folder, file), MAX_SOURCE_BYTES);
  if (local !== null && local !== served.transform && !force) {
    return `kept: ${file} is there already, with another text; --force takes what the service has`;
  }
  await writeText(join(folder, file), served.transform);
  const settings = Object.fromEntries(SETTINGS.slice(1).map((setting) => [setting, served[setting]]));
  manifest.webhooks.set(slug, { name: served.name, file, ...settings } satisfies Entry);
  manifest.pulled.set(served.id, pulledFrom(slug, served, checksum(served.transform)));
  return `new: ${file} (version ${served.version})`;
}

/**
 * Whether code is no JavaScript as it stands, so that it has types. Compiled, never run.
 * @example isTypeScript("const transform = (evt: unknown) => null") // true
 */
export function isTypeScript(source: string): boolean {
  // Only modules export, and there is no way to compile one without linking it.
  const script = source
    .replace(/^\s*export\s*\{[^}]*\}/gm, "")
    .replace(/^\s*export\s+(?:(default)\s)?/gm, DEFAULT);
  return ![source, script, `async () => {${script}\n}`].some(isScript);
}

const DEFAULT = (_: string, isDefault: string | undefined) => (isDefault === undefined ? "" : "0, ");

function isScript(source: string): boolean {
  try {
    new Script(source);
    return true;
  } catch {
    return false;
  }
}

/** They open something by themselves, and no signature is made of them. */
const LEFT_OUT = new Set(["authorization", "proxy-authorization", "cookie"]);

/** @returns how many there were not before */
async function saveFixtures(
  folder: string,
  slug: string,
  requests: readonly ServedRequest[],
): Promise<number> {
  if (requests.length === 0) return 0;
  const target = await makeFolder(await makeFolder(folder, "fixtures"), slug);
  const there = new Set(await namesIn(target));
  let saved = 0;
  for (const { id, received_at, method, query, headers, body, body_encoding } of requests) {
    // It may have been given an `expect` meanwhile.
    if (there.has(`${id}.json`)) continue;
    const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
    const encoding = body_encoding === "base64" ? { body_encoding } : {};
    const fixture = {
      name: `received ${received_at}`,
      method,
      headers: Object.fromEntries(kept),
      query,
      body,
      ...encoding,
    };
    // Requests of producers are about people.
    await writeText(join(target, `${id}.json`), `${JSON.stringify(fixture, null, 2)}\n`, 0o600);
    saved++;
  }
  return saved;
}
