/** What an attack is, and the words to write one down with. */
import type { TransformErrorKind } from "../outcome.ts";

export interface HostileTransform {
  name: string;
  source: string;
  /** What it returns, or the kind it fails with; several where the engine may give up at either bound first. */
  expect: { returns: unknown } | { fails: TransformErrorKind[]; message?: RegExp };
}

/** The source of a transform with this body. */
export const transform = (body: string) => `function transform(evt, headers, queryParams, raw) {\n${body}\n}`;

/** It fails with one of these kinds. */
export const fails = (...kinds: TransformErrorKind[]) => ({ fails: kinds });

/** It fails with one of these kinds, and its message says so. */
export const failsSaying = (message: RegExp, ...kinds: TransformErrorKind[]) => ({ fails: kinds, message });

export const returns = (value: unknown) => ({ returns: value });
