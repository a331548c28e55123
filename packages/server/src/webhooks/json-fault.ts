/** Says why a text is not JSON, and where, to the person who sent it. */
import { parseJson } from "../ingest/json.ts";
import { isDeeperThan, MAX_JSON_DEPTH } from "../nesting.ts";

/** Longest text in which the place is searched; of a longer one the words around it have to do. */
const MAX_SEARCHED = 64 * 1024;

/**
 * Why a text is not the JSON we take, as a sentence with the position; undefined when it is.
 * @example jsonFault('{"a": x}') // "The body is not valid JSON: Unexpected token 'x', … (line 1 column 7)"
 */
export function jsonFault(text: string): string | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const sentence = (error as Error).message;
    // The other messages of V8 name their position, or it is the end.
    if (!sentence.includes(UNEXPECTED) || text.length > MAX_SEARCHED) return sentence;
    const before = text.slice(0, unexpectedAt(text)).split("\n");
    return `${sentence} (line ${before.length} column ${before.at(-1)!.length + 1})`;
  }
  // A level takes two characters at least, so most bodies need no walk.
  if (text.length <= MAX_JSON_DEPTH * 2 || !isDeeperThan(value, MAX_JSON_DEPTH)) return undefined;
  return `The body nests more than ${MAX_JSON_DEPTH} levels deep.`;
}

const UNEXPECTED = "Unexpected token";

/**
 * The offset of the token that V8 calls unexpected without saying where. What is cut off before it only ends too
 * early, what is cut off behind it fails at the same token: so the place can be found by halving.
 */
function unexpectedAt(text: string): number {
  let viable = 0;
  let broken = text.length;
  while (broken - viable > 1) {
    const middle = (viable + broken) >> 1;
    if (isUnexpected(text.slice(0, middle))) broken = middle;
    else viable = middle;
  }
  return viable;
}

function isUnexpected(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith(UNEXPECTED);
  }
}
