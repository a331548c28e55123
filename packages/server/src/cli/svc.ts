/** The command line: finds the command and hands it the rest of the arguments. Entered by `bin/svc.js`. */
import { ConfigError, nearest } from "../config.ts";
import { createLogger } from "../observe/log.ts";
import { dev } from "./dev.ts";
import { generalHelp, modeHelp } from "./help.ts";
import { key } from "./key.ts";
import { start } from "./start.ts";
import { version } from "./version.ts";
import { SUBCOMMANDS, webhooksHelp } from "./webhooks/flags.ts";

/** A command resolves when its work is done or, for the two that serve, once it is under way. */
type Command = (argv: string[]) => void | Promise<void>;

const COMMANDS: Record<string, Command> = {
  dev,
  start,
  key,
  "drop-signing-keys": dropSigningKeys,
  webhooks,
  help,
  version: printVersion,
};

/** Exit code for a command line or a setting that cannot be used; 1 is for everything that fails later. */
const EXIT_USAGE = 2;

/**
 * Run one command line.
 * @param argv the words after `svc`
 */
export async function main(argv: string[]): Promise<void> {
  const [name = "help", ...rest] = argv;
  // A reader that goes away (`svc start | head`) must not end the service.
  process.stdout.on("error", () => {});
  try {
    if (name === "--version" || name === "-v") return printVersion();
    if (name === "--help" || name === "-h") return help(rest);
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw unknownCommand(name);
    if (rest.includes("--help") || rest.includes("-h")) return help([name, ...rest]);
    await command(rest);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(EXIT_USAGE);
    }
    if (isForPeople(error)) process.stderr.write(`${error.message}\n`);
    else createLogger({ stream: process.stderr }).error("svc failed", { error });
    process.exit(1);
  }
}

function help([command, subcommand]: string[]): void {
  if (command !== undefined && !Object.hasOwn(COMMANDS, command)) throw unknownCommand(command);
  if (command === "webhooks") print(webhooksHelp(SUBCOMMANDS.find((each) => each === subcommand)));
  else print(command === "dev" || command === "start" ? modeHelp(command) : generalHelp());
}

/** Whether an error says all that there is to know. */
function isForPeople(error: unknown): error is Error {
  return ["DATA_DIR_IN_USE", "SECRET_KEY"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

/** Loaded only when it is asked for, as the next one: the service starts without it. */
async function dropSigningKeys(argv: string[]): Promise<void> {
  await (await import("./drop-signing-keys.ts")).dropSigningKeys(argv);
}

async function webhooks(argv: string[]): Promise<void> {
  await (await import("./webhooks/webhooks.ts")).webhooks(argv);
}

function printVersion(): void {
  print(`${version()}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

function unknownCommand(name: string): ConfigError {
  const near = nearest(name, Object.keys(COMMANDS));
  return new ConfigError(
    `"${name}" is not a command of svc. ${near ? `Did you mean \`svc ${near}\`?` : "`svc help` lists them."}`,
  );
}
