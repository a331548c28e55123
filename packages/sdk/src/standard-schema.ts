/**
 * The Standard Schema interface (https://standardschema.dev), version 1: what zod, valibot, arktype and
 * others have in common. Only its shape, so that none of them is a dependency.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Outcome of a validation: a value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema takes. */
export type SchemaInput<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["input"];

/** What a schema gives. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];

/** Dotted path of an issue, such as `items.0.sku`; empty when it concerns the whole value. */
export function issuePath(issue: SchemaIssue): string {
  return (issue.path ?? [])
    .map((part) => String(typeof part === "object" && part !== null ? part.key : part))
    .join(".");
}
