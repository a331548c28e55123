import type { AllowDeny, KeyLimits, RateLimit } from "../api/keys.ts";

/** What the fields say; empty ones take lists and limit away. */
export function readLimits(form: FormData): KeyLimits {
  const filter = (field: "event_filter" | "ip_filter"): AllowDeny | null => {
    const [allow, deny] = [lines(form.get(`${field}.allow`)), lines(form.get(`${field}.deny`))];
    return allow.length + deny.length === 0 ? null : { allow, deny };
  };
  const requests = String(form.get("rate.requests") ?? "").trim();
  const per = String(form.get("rate.per")) as RateLimit["per"];
  return {
    event_filter: filter("event_filter"),
    ip_filter: filter("ip_filter"),
    rate_limit: requests === "" ? null : { requests: Number(requests), per },
  };
}

/** Entries separated by line breaks, commas or spaces. */
function lines(text: FormDataEntryValue | null): string[] {
  return String(text ?? "")
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
}
