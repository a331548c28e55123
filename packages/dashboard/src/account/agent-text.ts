const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /\bEdg\w*\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /Chrom(e|ium)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["Linux", /Linux|X11/],
];

/** @example agentText("Mozilla/5.0 (X11; Linux x86_64) … Chrome/140.0 Safari/537.36") // "Chrome on Linux" */
export function agentText(agent: string | null): string {
  if (agent === null || agent === "") return "Unknown program";
  const browser = BROWSERS.find(([, sign]) => sign.test(agent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(agent))?.[0];
  if (browser === undefined) return agent.split(" ")[0]!;
  return system === undefined ? browser : `${browser} on ${system}`;
}
