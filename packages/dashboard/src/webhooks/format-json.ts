/** JSON with line breaks, its numbers and escapes exactly as they were: parsing would change some. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * @returns the text on several lines, or null when it is no JSON
 * @example formatJson('{"id":12345678901234567890}') // '{\n  "id": 12345678901234567890\n}'
 */
export function formatJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let formatted = "";
  const breakLine = () => `\n${"  ".repeat(depth)}`;
  for (const [at, token] of tokens.entries()) {
    const opens = token === "{" || token === "[";
    const closes = token === "}" || token === "]";
    const empty = closes && (tokens[at - 1] === "{" || tokens[at - 1] === "[");
    if (closes) depth--;
    if (closes && !empty) formatted += breakLine();
    formatted += token;
    if (opens) depth++;
    const emptyNext = opens && (tokens[at + 1] === "}" || tokens[at + 1] === "]");
    if ((opens && !emptyNext) || token === ",") formatted += breakLine();
    if (token === ":") formatted += " ";
  }
  return formatted;
}
