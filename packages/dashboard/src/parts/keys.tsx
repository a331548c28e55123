/** Keys to press, one after the other: `g e`, `mod+k`. */
export function Keys({ text }: { text: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {text.split(" ").map((key) => (
        <kbd
          key={key}
          className="inline-flex h-4 min-w-4 items-center justify-center rounded border border-line-strong px-1 text-[10px] leading-none text-muted"
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
