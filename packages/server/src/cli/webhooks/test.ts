/** `svc webhooks test`: transforms on requests in files, in the sandbox that the service has, without a service. */
import { lstat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { compileNameList } from "../../access/gate/name-list.ts";
import { FILE_NAME } from "../../webhooks/sandbox/load-transform.ts";
import { createSandbox, MAX_SOURCE_BYTES, type Sandbox } from "../../webhooks/sandbox/sandbox.ts";
import { tryTransform } from "../../webhooks/try-transform.ts";
import { CommandFailure, type Output, plain } from "./failure.ts";
import {
  eventsOf,
  type Fixture,
  payloadOfFixture,
  readFixture,
  type ShownEvent,
  unexpected,
} from "./fixture.ts";
import { namesIn, readText } from "./folder.ts";
import { readManifest, TRANSFORM_FILE } from "./manifest.ts";
import { placeIn } from "./push.ts";

export interface TestOptions {
  /** A transform, or a folder of them. */
  target: string;
  /** A fixture to run instead of those of the folder. */
  fixture: string | undefined;
  /** Time of receipt of every request, ms since the epoch. */
  now: number;
}

interface Subject {
  slug: string;
  file: string;
  fixtures: string[];
  /** Whether the webhook's filter lets an event in. */
  accepts: (name: string) => boolean;
}

/** Characters of an event, or of what was logged, that are shown. */
const MAX_SHOWN = 4_000;
/** Events of one request that are shown. */
const MAX_EVENTS_SHOWN = 20;

/** Run transforms on their fixtures. @returns the exit code: 1 when anything was not as expected */
export async function test(options: TestOptions, output: Output): Promise<number> {
  const subjects = await findSubjects(options);
  const sandbox = createSandbox({ workers: 1 });
  let [passed, failed, without] = [0, 0, 0];
  try {
    for (const subject of subjects) {
      const source = await readText(subject.file, MAX_SOURCE_BYTES);
      if (source === null) throw new CommandFailure(`${plain(subject.file)} is not there.`);
      const problem = await sandbox.check(source);
      if (problem !== null) {
        output.say(`FAILED  ${subject.slug}`);
        output.say(`    ${placeIn(subject.file, problem.line, problem.column)}: ${plain(problem.message)}`);
        failed++;
        continue;
      }
      if (subject.fixtures.length === 0) {
        output.say(`loaded  ${subject.slug}  there are no fixtures for it`);
        without++;
      }
      for (const path of subject.fixtures) {
        const good = await runFixture(sandbox, subject, source, path, options.now, output);
        if (good) passed++;
        else failed++;
      }
    }
  } finally {
    await sandbox.close();
  }
  const more = without === 0 ? "" : `, ${without} without fixtures`;
  output.say(`${passed} passed, ${failed} failed${more}.`);
  return failed > 0 ? 1 : 0;
}

async function findSubjects({ target, fixture }: TestOptions): Promise<Subject[]> {
  const stat = await lstat(target).catch(() => null);
  if (stat === null) throw new CommandFailure(`${plain(target)} is not there.`);
  const any = () => true;
  if (!stat.isDirectory()) {
    const slug = basename(target, extname(target));
    const fixtures = fixture === undefined ? await fixturesOf(dirname(target), slug) : [fixture];
    return [{ slug, file: target, fixtures, accepts: any }];
  }
  if (fixture !== undefined)
    throw new CommandFailure("--fixture is for one transform: name its file instead of a folder.");
  const manifest = await readManifest(target);
  const names = (await namesIn(target)).filter((name) => TRANSFORM_FILE.test(name));
  const entries =
    manifest === null
      ? names.map((file) => ({ slug: basename(file, extname(file)), file, accepts: any }))
      : [...manifest.webhooks].map(([slug, { file, event_filter }]) => ({
          slug,
          file,
          accepts: event_filter == null ? any : compileNameList(event_filter),
        }));
  if (entries.length === 0) throw new CommandFailure(`${plain(target)} has no transforms.`);
  return await Promise.all(
    entries.map(async ({ slug, file, accepts }) => ({
      slug,
      file: join(target, file),
      fixtures: await fixturesOf(target, slug),
      accepts,
    })),
  );
}

async function fixturesOf(folder: string, slug: string): Promise<string[]> {
  // Looked at one by one: neither may be a link.
  if (!(await namesIn(join(folder, "fixtures"))).includes(slug)) return [];
  const path = join(folder, "fixtures", slug);
  return (await namesIn(path)).filter((name) => name.endsWith(".json")).map((name) => join(path, name));
}

/** @returns whether it passed */
async function runFixture(
  sandbox: Sandbox,
  { slug, file, accepts }: Subject,
  source: string,
  path: string,
  now: number,
  output: Output,
): Promise<boolean> {
  const fixture = await readFixture(path);
  const result = await tryTransform(sandbox, slug, source, payloadOfFixture(fixture), now);
  const events = eventsOf(result);
  const refused = events.filter(({ name }) => !accepts(name)).map(({ name }) => name);
  const lines: string[] = [];
  for (const { level, text } of result.logs) lines.push(`${level}: ${cut(plain(text))}`);
  for (const event of events.slice(0, MAX_EVENTS_SHOWN)) lines.push(cut(plain(showEvent(event))));
  if (events.length > MAX_EVENTS_SHOWN) lines.push(`… and ${events.length - MAX_EVENTS_SHOWN} more events`);

  let good = true;
  if (result.error !== null) {
    good = false;
    const { message, line, column, kind, stack } = result.error;
    // What is wrong with the events has no place in the code.
    lines.push(`${placeIn(file, line, column)}: ${kind}: ${cut(plain(message))}`);
    const frames = stack === undefined ? [] : stack.trim().split("\n");
    // A single one is the place that stands there already.
    if (frames.length > 1) {
      lines.push(...frames.map((frame) => `  ${plain(frame.trim()).replace(FILE_NAME, () => file)}`));
    }
  } else if (refused.length > 0) {
    lines.push(
      `The event filter of the webhook does not let in ${plain(refused.join(", "))}: the request would trigger nothing.`,
    );
    good = fixture.expect === undefined || fixture.expect === null;
  }
  const wanted = refused.length > 0 && good ? [] : unexpected(fixture, events);
  if (result.error === null && wanted.length > 0) {
    good = false;
    for (const { path: place, expected, actual } of wanted) {
      lines.push(plain(place), `  expected ${plain(expected)}`, `  got      ${plain(actual)}`);
    }
  }
  output.say(
    `${good ? "passed" : "FAILED"}  ${slug}  ${title(fixture, path)}  ${outcome(result.error !== null, events)}`,
  );
  for (const line of lines) output.say(`    ${line.replaceAll("\n", "\n    ")}`);
  return good;
}

function title({ name }: Fixture, path: string): string {
  return name === undefined ? basename(path) : `${basename(path)} (${plain(name)})`;
}

function outcome(failed: boolean, events: readonly ShownEvent[]): string {
  if (failed) return "error";
  if (events.length === 0) return "ignored";
  return events.length === 1 ? "1 event" : `${events.length} events`;
}

function showEvent({ ts: _, ...event }: ShownEvent): string {
  return JSON.stringify(event);
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
