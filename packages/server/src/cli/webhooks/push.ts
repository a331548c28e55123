/** `svc webhooks push`: makes the webhooks of a service as a folder says, after a look at what that would change. */
import { join } from "node:path";
import { createSandbox, MAX_SOURCE_BYTES } from "../../webhooks/sandbox/sandbox.ts";
import { CommandFailure, type Output, plain } from "./failure.ts";
import { readText } from "./folder.ts";
import { checksum, MANIFEST_FILE, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { pulledFrom } from "./match.ts";
import { describeStep, type PlanOptions, planPush, type Step } from "./plan.ts";
import { type Served, type Service, ServiceRefusal } from "./service.ts";

export interface PushOptions extends PlanOptions {
  folder: string;
  /** Only say what would be done. */
  dryRun: boolean;
}

/** Push a folder to a service. Unless the whole plan can be carried out, nothing is. @returns the exit code */
export async function push(service: Service, options: PushOptions, output: Output): Promise<number> {
  const { folder, dryRun, remove, force } = options;
  const manifest = await readManifest(folder);
  if (manifest === null) {
    throw new CommandFailure(`${plain(folder)} has no ${MANIFEST_FILE}: \`svc webhooks pull\` writes one.`);
  }
  const transforms = await readTransforms(folder, manifest);
  const served = await service.webhooks();
  const steps = planPush(manifest, transforms, served, options);
  for (const step of steps) output.say(describeStep(step));

  let problems = steps.filter(({ kind }) => kind === "conflict").length;
  problems += await sayCodeProblems(folder, manifest, steps, output);
  const known = steps.some(({ kind }) => kind === "unchanged" || kind === "update" || kind === "conflict");
  if (remove && !force && !known && steps.some(({ kind }) => kind === "delete")) {
    output.complain(
      "Not one webhook of the service is in this folder, and all of them would be deleted: is --env right? --force deletes them.",
    );
    problems++;
  }
  if (problems > 0) {
    output.complain("Nothing was pushed.");
    return 1;
  }
  const work = steps.filter(({ kind }) => kind === "create" || kind === "update" || kind === "delete");
  if (dryRun) {
    output.say(work.length === 0 ? "Nothing to push." : "Nothing was pushed: this was a dry run.");
    return 0;
  }
  return await carryOut(service, manifest, steps, folder, output);
}

async function readTransforms(folder: string, manifest: Manifest): Promise<Map<string, string>> {
  const transforms = new Map<string, string>();
  for (const [slug, { file }] of manifest.webhooks) {
    const text = await readText(join(folder, file), MAX_SOURCE_BYTES);
    if (text === null) {
      throw new CommandFailure(
        `${plain(join(folder, file))} is not there, and ${MANIFEST_FILE} names it for ${slug}.`,
      );
    }
    if (text === "") throw new CommandFailure(`${plain(join(folder, file))} is empty.`);
    transforms.set(slug, text);
  }
  return transforms;
}

/** Load what would be pushed, as the service will. @returns how many cannot be used */
async function sayCodeProblems(
  folder: string,
  manifest: Manifest,
  steps: readonly Step[],
  output: Output,
): Promise<number> {
  const fresh = steps.filter(
    (step) => step.kind === "create" || (step.kind === "update" && step.change.transform !== undefined),
  );
  if (fresh.length === 0) return 0;
  let count = 0;
  const sandbox = createSandbox({ workers: 1 });
  try {
    for (const step of fresh as (Step & { kind: "create" | "update" })[]) {
      const problem = await sandbox.check(step.transform);
      if (problem === null) continue;
      const file = join(folder, manifest.webhooks.get(step.slug)!.file);
      output.complain(`${placeIn(file, problem.line, problem.column)}: ${plain(problem.message)}`);
      count++;
    }
  } finally {
    await sandbox.close();
  }
  return count;
}

/** @example placeIn("hooks/stripe.js", 3, 7) // "hooks/stripe.js:3:7" */
export function placeIn(
  file: string,
  line: number | null | undefined,
  column: number | null | undefined,
): string {
  return [file, line, column].filter((part) => part !== null && part !== undefined).join(":");
}

async function carryOut(
  service: Service,
  manifest: Manifest,
  steps: readonly Step[],
  folder: string,
  output: Output,
): Promise<number> {
  let [done, failed] = [0, 0];
  for (const step of steps) {
    if (step.kind === "conflict" || step.kind === "unlisted") continue;
    try {
      await carryOutOne(service, manifest, step, output);
      if (step.kind !== "unchanged") done++;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failed++;
      output.complain(`${placeOf(step, manifest, folder, error)}: ${error.message}`);
      // Without an answer nobody knows; with one, the next webhook may fare better.
      if (!(error instanceof ServiceRefusal)) break;
    }
  }
  await writeManifest(folder, manifest);
  if (failed > 0) output.complain(`${done} pushed, ${failed} failed.`);
  else output.say(done === 0 ? "Nothing to push." : `${done} pushed.`);
  return failed > 0 ? 1 : 0;
}

type Doable = Step & { kind: "create" | "update" | "unchanged" | "delete" };

async function carryOutOne(
  service: Service,
  manifest: Manifest,
  step: Doable,
  output: Output,
): Promise<void> {
  const seen = (slug: string, served: Served) =>
    manifest.pulled.set(served.id, pulledFrom(slug, served, checksum(served.transform)));
  switch (step.kind) {
    case "unchanged":
      seen(step.slug, step.served);
      return;
    case "update":
      seen(step.slug, await service.update(step.served.id, step.change, step.served.version));
      return;
    case "delete":
      await service.remove(step.served.id);
      manifest.pulled.delete(step.served.id);
      return;
    case "create": {
      const { slug, transform, entry } = step;
      const { name, event_filter, ip_filter, rate_limit, paused } = entry;
      const created = await service.create({ name, transform, event_filter, ip_filter, rate_limit });
      // At once: should the pause fail, the next push goes on with this webhook.
      seen(slug, created);
      output.say(`${slug}  created as ${created.id}; the API shows its address to those who may manage it`);
      if (paused === true) seen(slug, await service.update(created.id, { paused }, created.version));
    }
  }
}

/** Where a failure is shown to be: in the code when it is that, else at the webhook. */
function placeOf(step: Doable, manifest: Manifest, folder: string, error: CommandFailure): string {
  if (step.kind === "delete") return plain(step.served.name);
  if (!(error instanceof ServiceRefusal) || error.line === null) return step.slug;
  return placeIn(join(folder, manifest.webhooks.get(step.slug)!.file), error.line, error.column);
}
