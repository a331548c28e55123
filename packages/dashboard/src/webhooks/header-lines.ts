/** Headers of a request as lines of text. */

/**
 * Headers as they are typed.
 * @example readHeaders("X-A: 1\nwrong") // { headers: { "X-A": "1" }, wrong: [2] }
 */
export function readHeaders(text: string): { headers: Record<string, string>; wrong: number[] } {
  const headers: Record<string, string> = {};
  const wrong: number[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) wrong.push(at + 1);
    else headers[name] = value ?? "";
  }
  return { headers, wrong };
}

/** @example headerText({ "X-A": "1" }) // "X-A: 1" */
export function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
