/** What lists that keep up with the present have in common. */
import { ArrowUp, CirclePause, Radio } from "lucide-react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

interface LiveToggleProps {
  on: boolean;
  connected: boolean;
  paused: boolean;
  onToggle(): void;
}

/** Whether new rows are shown as they come. */
export function LiveToggle({ on, connected, paused, onToggle }: LiveToggleProps) {
  const state = !on ? "Off" : !connected ? "Connecting" : paused ? "Paused" : "On";
  return (
    <Button
      look="plain"
      aria-pressed={on}
      aria-label={`Live tail: ${state.toLowerCase()}`}
      onClick={onToggle}
      icon={
        paused ? (
          <CirclePause size={13} aria-hidden className="text-cancelled" />
        ) : (
          <Radio
            size={13}
            aria-hidden
            className={classNames(on && connected ? "text-completed" : "text-muted")}
          />
        )
      }
    >
      {on && !connected ? "Connecting" : paused ? "Paused" : "Live"}
    </Button>
  );
}

/** How many rows are held back while the reader looks at others; a click shows them. */
export function WaitingRows({ count, onShow }: { count: number; onShow(): void }) {
  if (count === 0) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 top-10 z-10 flex justify-center">
      <button
        type="button"
        className="animate-appear pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full bg-accent px-3 font-medium text-on-accent"
        onClick={onShow}
      >
        <ArrowUp size={13} aria-hidden />
        {count >= 1_000 ? "1,000+" : count} new
      </button>
    </div>
  );
}
