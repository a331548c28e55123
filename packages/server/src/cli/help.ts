/** The texts of `svc help`, made from the settings table. */
import { styleText } from "node:util";
import { useColors } from "../observe/log.ts";
import { type AnySetting, flagText, GROUPS, type Mode, SETTING_LIST, showDefault } from "../settings.ts";

const SUMMARIES: Record<Mode, string> = {
  dev: "Run svc on your machine: no keys needed, apps are found by themselves.",
  start: "Run svc in production: people log in, senders need a key, calls are signed, logs are JSON lines.",
};

type Style = Parameters<typeof styleText>[0];

function painter(colors: boolean): (style: Style, text: string) => string {
  return (style, text) => (colors ? styleText(style, text, { validateStream: false }) : text);
}

/** What `svc help` prints. */
export function generalHelp(colors = useColors(process.stdout)): string {
  const paint = painter(colors);
  const commands = [
    ["svc dev [flags]", SUMMARIES.dev],
    ["svc start [flags]", SUMMARIES.start],
    ["svc key [event|signing|api]", "Print fresh random keys; nothing is stored."],
    ["svc drop-signing-keys [--yes]", "When secret.key is lost: drop the keys it encrypted."],
    ["svc webhooks pull|push|test", "Keep transforms as files: fetch, publish and test them."],
    ["svc help <command>", "Every flag of a command, with its variable and default."],
    ["svc --version", "Print the version."],
  ];
  const lines = commands.map(([usage, meaning]) => `  ${paint("cyan", usage!.padEnd(30))} ${meaning}`);
  return `${paint("bold", "svc")} takes events in, keeps them, and runs your functions on them.\n\n${lines.join("\n")}\n`;
}

/** What `svc help dev` and `svc help start` print: one table of all flags of the mode. */
export function modeHelp(mode: Mode, colors = useColors(process.stdout)): string {
  const paint = painter(colors);
  const rows = SETTING_LIST.filter((row) => row.modes.includes(mode));
  const width = Math.max(...rows.map((row) => helpFlag(row).length)) + 2;
  let text = `${paint("bold", `svc ${mode}`)} [flags]\n${SUMMARIES[mode]}\n`;
  for (const group of GROUPS) {
    const members = rows.filter((row) => row.group === group);
    if (members.length === 0) continue;
    text += `\n${paint("bold", group)}\n`;
    for (const row of members) {
      const flag = helpFlag(row);
      const facts = [variableText(row), `default ${showDefault(row, mode)}`];
      if (row.kind.list) facts.push("repeatable");
      text += `  ${paint("cyan", flag)}${" ".repeat(width - flag.length)}${row.meaning}\n`;
      text += `  ${" ".repeat(width)}${paint("dim", facts.join(" · "))}\n`;
    }
  }
  return `${text}\nFlags win over variables, and variables over defaults. A list in a variable is separated by commas.\n`;
}

/** Long flags stand below each other, whether they have a short one or not. */
function helpFlag(row: AnySetting): string {
  return row.short ? flagText(row) : `    ${flagText(row)}`;
}

function variableText(row: AnySetting): string {
  if (row.kind.placeholder) return row.env;
  return `${row.env}=${row.flagTurnsOff ? "false" : "true"}`;
}

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const sections = GROUPS.map((group) => {
    const rows = SETTING_LIST.filter((row) => row.group === group).map(markdownRow);
    const head = "| flag | variable | default | meaning |\n| --- | --- | --- | --- |";
    return `## ${group}\n\n${head}\n${rows.join("\n")}\n`;
  });
  return `<!-- Made from packages/server/src/settings.ts by \`npm run docs\`; edit there. -->
# Configuration

Every setting is a flag and an environment variable. Flags win over variables, and variables over defaults.
A flag marked *repeatable* may be given several times; its variable takes the values separated by commas.
Put secrets into variables: a machine's other users can read the flags of a running process.

Durations have a unit (\`500ms\`, \`90s\`, \`12h\`, \`30d\`), and so have sizes: \`KiB\`, \`MiB\`, \`GiB\` count in 1,024s,
\`KB\`, \`MB\`, \`GB\` in 1,000s. A switch takes \`true\` or \`false\` as a variable.

${sections.join("\n")}`;
}

function markdownRow(row: AnySetting): string {
  const defaults = row.modes.map((mode) => showDefault(row, mode));
  const same = defaults.every((value) => value === defaults[0]);
  const shown = same ? defaults[0]! : row.modes.map((mode, i) => `${mode}: ${defaults[i]}`).join("; ");
  const notes = [
    row.modes.length === 1 ? ` \`svc ${row.modes[0]}\` only.` : "",
    row.kind.list ? " *Repeatable.*" : "",
  ];
  const cells = [`\`${flagText(row)}\``, `\`${variableText(row)}\``, shown, row.meaning + notes.join("")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
