/** The bounds of what a transform may return, looked up in the JSON text that the machine wrote of it. */

/** UTF-8 bytes of a result. */
export const MAX_RESULT_BYTES = 4 * 1024 * 1024;
/** Nesting of a result: an event's data may nest as deep as bodies may, and this is far within. */
const MAX_RESULT_DEPTH = 200;
/** Events that one call may make. */
const MAX_RESULT_EVENTS = 5_000;

/**
 * What is wrong with a result; null when it is within its bounds.
 * @example resultFault('{"name":"a"}') // null
 */
export function resultFault(text: string): string | null {
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string, to its end
        for (at++; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_RESULT_DEPTH)
          return `transform returned more than ${MAX_RESULT_DEPTH} nested levels.`;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case 0x2c:
        if (depth === 1) commas++;
    }
  }
  if (text.startsWith("[") && commas >= MAX_RESULT_EVENTS) {
    return `transform returned ${commas + 1} events; it may return ${MAX_RESULT_EVENTS}.`;
  }
  return null;
}
