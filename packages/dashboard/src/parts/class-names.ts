/**
 * Class names in one text; what is false, null or empty is left out.
 * @example classNames("row", selected && "bg-hover")
 */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
