/** The flags of `svc webhooks …`: read, and explained. */
import { parseArgs } from "node:util";
import { ConfigError, nearest } from "../../config.ts";

export const SUBCOMMANDS = ["pull", "push", "test"] as const;
export type Subcommand = (typeof SUBCOMMANDS)[number];

interface Flag {
  /** What stands for its value in the help; none is a switch. */
  value?: string;
  of: readonly Subcommand[];
  meaning: string;
}

const REMOTE = ["pull", "push"] as const;

const FLAGS: Record<string, Flag> = {
  url: {
    value: "<url>",
    of: REMOTE,
    meaning: "Address of the service. SVC_BASE_URL, or http://127.0.0.1:8288.",
  },
  env: { value: "<name>", of: REMOTE, meaning: "Environment. Without it that of the token, or production." },
  token: { value: "<token>", of: REMOTE, meaning: "API token. Better as SVC_API_TOKEN: others see flags." },
  fixtures: {
    value: "<count>",
    of: ["pull"],
    meaning: "Save the last requests of each webhook as fixtures, 1 to 100.",
  },
  force: { of: REMOTE, meaning: "Overwrite what was changed on the other side since the last pull." },
  "dry-run": { of: ["push"], meaning: "Say what would be done, and do nothing." },
  delete: { of: ["push"], meaning: "Delete webhooks of the service that are not in the folder." },
  fixture: { value: "<file>", of: ["test"], meaning: "Run this fixture only." },
};

const TARGETS: Record<Subcommand, string> = { pull: "<dir>", push: "<dir>", test: "<transform file | dir>" };

const SUMMARIES: Record<Subcommand, string> = {
  pull: "Write the webhooks of a service into a folder: webhooks.json, and a file for each transform.",
  push: "Make the webhooks of a service as a folder says.",
  test: "Run transforms on the requests in <dir>/fixtures/<webhook>/*.json, without a service.",
};

export interface Arguments {
  target: string;
  /** Values by name; switches are true. */
  flags: ReadonlyMap<string, string | true>;
}

/**
 * Read what follows `svc webhooks <subcommand>`.
 * @throws ConfigError with a sentence for the person at the keyboard
 */
export function readArguments(subcommand: Subcommand, argv: readonly string[]): Arguments {
  const options = Object.fromEntries(
    Object.entries(FLAGS).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" } as const]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Map<string, string | true>();
  const targets: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") targets.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(FLAGS, token.name) ? FLAGS[token.name]! : undefined;
    if (!flag?.of.includes(subcommand)) throw unknownFlag(subcommand, token.rawName);
    if (flag.value === undefined) {
      if (token.value !== undefined) throw new ConfigError(`${token.rawName} takes no value.`);
      flags.set(token.name, true);
    } else {
      if (!token.value || (!token.inlineValue && token.value.startsWith("-"))) {
        throw new ConfigError(`${token.rawName} needs a value: ${flag.value}.`);
      }
      flags.set(token.name, token.value);
    }
  }
  if (targets.length !== 1) {
    const fault =
      targets.length === 0 ? "is missing" : `is only one, and "${targets[1]}" is not expected here`;
    throw new ConfigError(
      `${TARGETS[subcommand]} ${fault}: \`svc webhooks ${subcommand} ${TARGETS[subcommand]}\`.`,
    );
  }
  return { target: targets[0]!, flags };
}

function unknownFlag(subcommand: Subcommand, rawName: string): ConfigError {
  const own = Object.keys(FLAGS).filter((name) => FLAGS[name]!.of.includes(subcommand));
  const near = nearest(
    rawName,
    own.map((name) => `--${name}`),
  );
  const hint = near ? `Did you mean ${near}?` : `\`svc webhooks ${subcommand} --help\` lists all flags.`;
  return new ConfigError(`${rawName} is not a flag of \`svc webhooks ${subcommand}\`. ${hint}`);
}

/** What `svc help webhooks` prints, or with a subcommand its flags. */
export function webhooksHelp(subcommand?: Subcommand): string {
  const usages = SUBCOMMANDS.map(
    (name) => [`svc webhooks ${name} ${TARGETS[name]}`, SUMMARIES[name]] as const,
  );
  if (subcommand === undefined) {
    const lines = usages.map(([usage, meaning]) => `  ${usage.padEnd(42)} ${meaning}`);
    return `svc webhooks: transforms as code.\n\n${lines.join("\n")}\n\n\`svc webhooks <command> --help\` lists the flags of one.\n`;
  }
  const rows = Object.entries(FLAGS)
    .filter(([, { of }]) => of.includes(subcommand))
    .map(([name, { value, meaning }]) => `  ${`--${name}${value ? ` ${value}` : ""}`.padEnd(20)} ${meaning}`);
  return `svc webhooks ${subcommand} ${TARGETS[subcommand]} [flags]\n${SUMMARIES[subcommand]}\n\n${rows.join("\n")}\n`;
}
