/** Keys to press, one after the other: `g e`, `mod+k`. @param onAccent whether they stand on the accent colour */
export function Keys({ text, onAccent = false }: { text: string; onAccent?: boolean }) {
  return (
    <span className="inline-flex gap-0.5">
      {text.split(" ").map((key) => (
        <kbd
          key={key}
          className={`inline-flex h-4 min-w-4 items-center justify-center rounded border px-1 text-[10px] leading-none ${onAccent ? "border-on-accent/40" : "border-line-strong text-muted"}`}
        >
          {keyLabel(key)}
        </kbd>
      ))}
    </span>
  );
}

const APPLE = /mac|iphone|ipad/i.test(navigator.platform);

function keyLabel(key: string): string {
  return key
    .split("+")
    .map((part) => {
      if (part === "mod") return APPLE ? "⌘" : "Ctrl";
      if (part === "enter") return "↵";
      if (part === "escape") return "Esc";
      return part.length === 1 ? part.toUpperCase() : part;
    })
    .join(APPLE ? "" : " ");
}
