/** `svc webhooks pull|push|test`: transforms as code, from a folder that a version control system may hold. */
import { ConfigError, nearest } from "../../config.ts";
import { ServiceError } from "../../errors.ts";
import { CommandFailure, type Output } from "./failure.ts";
import { type Arguments, readArguments, SUBCOMMANDS, type Subcommand, webhooksHelp } from "./flags.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { connect, type Service } from "./service.ts";
import { test } from "./test.ts";

const DEFAULT_URL = "http://127.0.0.1:8288";
const MAX_FIXTURES = 100;

/** Run the command of the process; the exit code is set, not carried out, so that everything is printed first. */
export async function webhooks(argv: string[]): Promise<void> {
  // Threads of the sandbox keep no process alive, and one that ends before its work is done has not done it.
  const alive = setInterval(() => {}, 60_000);
  process.exitCode = 1;
  try {
    process.exitCode = await runWebhooks(argv, process.env, {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    clearInterval(alive);
  }
}

/**
 * Run one command line.
 * @param argv the words after `svc webhooks`
 * @returns the exit code: 1 when it could not do all of its work
 * @throws ConfigError when the command line cannot be used
 */
export async function runWebhooks(
  argv: readonly string[],
  env: Record<string, string | undefined>,
  output: Output,
): Promise<number> {
  const [name, ...rest] = argv;
  const subcommand = SUBCOMMANDS.find((each) => each === name);
  if (
    rest.includes("--help") ||
    rest.includes("-h") ||
    name === undefined ||
    name === "--help" ||
    name === "-h"
  ) {
    output.say(webhooksHelp(subcommand).trimEnd());
    return 0;
  }
  if (subcommand === undefined) throw unknownSubcommand(name);
  const given = readArguments(subcommand, rest);
  try {
    return await run(subcommand, given, env, output);
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof ServiceError)) throw error;
    output.complain(error.message);
    return 1;
  }
}

async function run(
  subcommand: Subcommand,
  { target, flags }: Arguments,
  env: Record<string, string | undefined>,
  output: Output,
): Promise<number> {
  const has = (name: string) => flags.get(name) === true;
  const value = (name: string) => flags.get(name) as string | undefined;
  switch (subcommand) {
    case "pull": {
      const fixtures = countOf(value("fixtures"));
      return await pull(serviceOf(value, env), { folder: target, force: has("force"), fixtures }, output);
    }
    case "push": {
      const options = { folder: target, force: has("force"), dryRun: has("dry-run"), remove: has("delete") };
      return await push(serviceOf(value, env), options, output);
    }
    case "test":
      return await test({ target, fixture: value("fixture"), now: Date.now() }, output);
  }
}

function serviceOf(
  value: (name: string) => string | undefined,
  env: Record<string, string | undefined>,
): Service {
  const url = value("url") ?? (env.SVC_BASE_URL || DEFAULT_URL);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new ConfigError(`--url: "${url}" is no address: give one like https://svc.example.com.`);
  }
  return connect({ url, token: value("token") ?? (env.SVC_API_TOKEN || undefined), env: value("env") });
}

function countOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const count = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > MAX_FIXTURES)
    throw new ConfigError(`--fixtures: "${given}" is not a number from 1 to 100.`);
  return count;
}

function unknownSubcommand(name: string): ConfigError {
  const near = nearest(name, SUBCOMMANDS);
  const hint = near ? `Did you mean \`svc webhooks ${near}\`?` : "`svc webhooks --help` lists them.";
  return new ConfigError(`"${name}" is not a command of svc webhooks. ${hint}`);
}
