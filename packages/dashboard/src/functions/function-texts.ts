import type { Trigger } from "../api/types.ts";

/** @example triggerText({ event: "order/placed" }) // "order/placed" */
export function triggerText(trigger: Trigger): string {
  return "event" in trigger && trigger.event ? trigger.event : "cron" in trigger ? trigger.cron : "";
}

/** @example rateText(3, 200) // "1.5 %" */
export function rateText(failed: number, count: number): string {
  if (count === 0) return "–";
  if (failed === 0) return "0 %";
  const percent = (failed / count) * 100;
  // 99.96 of 100 are not all of them.
  if (percent >= 99.95 && failed < count) return "> 99.9 %";
  if (percent < 0.1) return "< 0.1 %";
  return `${Number(percent.toFixed(percent < 10 ? 1 : 0))} %`;
}
