/** Values as they come back from the wire. */

/**
 * What a value becomes after a trip through JSON: a `Date` is a string, `undefined` is `null`, functions are
 * gone. Results of steps have this type, because a replay reads them back from the service.
 */
export type Jsonify<T> = 0 extends 1 & T
  ? T
  : unknown extends T
    ? unknown
    : T extends string | number | boolean | null
      ? T
      : T extends { toJSON(): infer J }
        ? Jsonify<J>
        : T extends undefined | symbol | ((...args: never[]) => unknown)
          ? null
          : T extends readonly unknown[]
            ? { [I in keyof T]: Jsonify<T[I]> }
            : T extends object
              ? {
                  [K in keyof T as T[K] extends symbol | ((...args: never[]) => unknown)
                    ? never
                    : K]: JsonField<T[K]>;
                }
              : never;

/** Inside an object an `undefined` field is left out, not null. */
type JsonField<T> = undefined extends T ? Jsonify<Exclude<T, undefined>> | undefined : Jsonify<T>;

/**
 * A value as a replay would read it. Throws when it cannot be written as JSON (BigInt, cycles).
 * @example throughJson(new Date(0)) // "1970-01-01T00:00:00.000Z"
 */
export function throughJson(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}
