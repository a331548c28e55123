import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, Copy, Link2, Search } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { CopyButton, copyText } from "./copy-button.tsx";
import { countNodes, type JsonLine, linesOf, matchesIn } from "./json-lines.ts";
import { toast } from "./toast.tsx";

interface JsonViewerProps {
  value: unknown;
  /** What copied paths begin with. */
  root?: string;
  /** Names the region. */
  label: string;
  /** Highest the viewer grows, CSS. */
  maxHeight?: string;
}

const LINE_PX = 20;
/** A value with more parts than this is shown with its inner parts folded. */
const SMALL = 400;
/** Longer strings are cut on their line; copying takes them whole. */
const MAX_SHOWN = 2_000;

/** JSON to fold, to search, and to copy from. Only the lines in sight are in the page, however many there are. */
export function JsonViewer({ value, root = "data", label, maxHeight = "min(60vh, 640px)" }: JsonViewerProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const [place, setPlace] = useState(0);
  const search = useDeferredValue(typed.trim());
  const scroller = useRef<HTMLDivElement>(null);
  const large = useMemo(() => countNodes(value, SMALL + 1) > SMALL, [value]);
  const lines = useMemo(() => {
    // A search looks everywhere, so nothing is folded while there is one.
    const isFolded = (path: string, depth: number) =>
      search === "" && (large && depth >= 2) !== toggled.has(path);
    return linesOf(value, isFolded, root);
  }, [value, root, large, toggled, search]);
  const matches = useMemo(() => (search === "" ? [] : matchesIn(lines, search)), [lines, search]);
  const current = matches[place % Math.max(1, matches.length)];

  const virtual = useVirtualizer({
    // With the next frame, not with each turn of the wheel.
    useFlushSync: false,
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  const goTo = virtual.scrollToIndex;
  useEffect(() => {
    if (current !== undefined) goTo(current, { align: "center" });
  }, [current, goTo]);

  const toggle = (path: string) => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === "Enter")
      setPlace((place + (event.shiftKey ? matches.length - 1 : 1)) % Math.max(1, matches.length));
    if (event.key === "Escape" && typed !== "") {
      event.stopPropagation();
      setTyped("");
    }
  };

  return (
    <div className="flex flex-col rounded-md border">
      <div className="flex h-8 items-center gap-1 border-b bg-panel pr-1 pl-2">
        <Search size={12} aria-hidden className="shrink-0 text-muted" />
        <input
          type="search"
          aria-label={`Search in ${label}`}
          placeholder="Search"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setPlace(0);
          }}
          onKeyDown={onSearchKey}
          className="h-full min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-muted"
        />
        {search !== "" && (
          <span role="status" className="tabular text-xs text-muted">
            {matches.length === 0 ? "Not found" : `${(place % matches.length) + 1} of ${matches.length}`}
          </span>
        )}
        <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy all" />
      </div>
      <div
        ref={scroller}
        role="region"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        style={{ maxHeight }}
        className="overflow-auto py-1.5 font-mono text-xs"
      >
        <div style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Line
              key={index}
              line={lines[index]!}
              top={start}
              search={search}
              current={index === current}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  line: JsonLine;
  top: number;
  search: string;
  current: boolean;
  onToggle(path: string): void;
}

function Line({ line, top, search, current, onToggle }: LineProps) {
  const { path, depth, name, kind, part, folded, size, comma, value } = line;
  const canFold = (part === "open" || folded) && depth > 0;
  return (
    <div
      style={{ transform: `translateY(${top}px)`, paddingLeft: 20 + depth * 14 }}
      className={classNames(
        "group/line absolute top-0 flex h-5 min-w-full items-center pr-2 leading-5 whitespace-pre hover:bg-hover",
        current && "bg-accent-soft",
      )}
    >
      {canFold && (
        <button
          type="button"
          aria-label={`${folded ? "Unfold" : "Fold"} ${path}`}
          aria-expanded={!folded}
          onClick={() => onToggle(path)}
          className="-ml-4 flex size-4 items-center justify-center rounded text-muted hover:text-text"
        >
          {folded ? <ChevronRight size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
        </button>
      )}
      {name !== null && part !== "close" && (
        <>
          <span className="text-json-key">
            <Marked text={JSON.stringify(name)} search={search} />
          </span>
          <span className="text-muted">: </span>
        </>
      )}
      {kind === "object" || kind === "array" ? (
        <Brackets kind={kind} part={part} folded={folded} size={size} />
      ) : (
        <Leaf kind={kind} value={value} search={search} />
      )}
      {comma && <span className="text-muted">,</span>}
      {part !== "close" && (
        <span className="sticky right-1 ml-auto flex opacity-0 group-hover/line:opacity-100 focus-within:opacity-100">
          <LineButton label={`Copy the path ${path}`} icon={<Link2 size={12} />} text={() => path} />
          <LineButton
            label={`Copy the value of ${path}`}
            icon={<Copy size={12} />}
            text={() => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null"))}
          />
        </span>
      )}
    </div>
  );
}

function LineButton({ label, icon, text }: { label: string; icon: ReactNode; text(): string }) {
  return (
    <IconButton
      label={label}
      icon={icon}
      className="!size-5 bg-raised"
      onClick={async () => {
        if (await copyText(text())) toast("done", "Copied.");
      }}
    />
  );
}

function Brackets({ kind, part, folded, size }: Pick<JsonLine, "kind" | "part" | "folded" | "size">) {
  const [open, close] = kind === "array" ? ["[", "]"] : ["{", "}"];
  if (part === "open") return <span className="text-muted">{open}</span>;
  if (part === "close") return <span className="text-muted">{close}</span>;
  const noun = kind === "array" ? "entr" : "member";
  const plural = kind === "array" ? (size === 1 ? "y" : "ies") : size === 1 ? "" : "s";
  return (
    <span className="text-muted">
      {open}
      {folded && ` ${size} ${noun}${plural} `}
      {close}
    </span>
  );
}

const COLORS = {
  string: "text-json-string",
  number: "text-json-number",
  boolean: "text-json-word",
  null: "text-json-word",
};

function Leaf({ kind, value, search }: { kind: keyof typeof COLORS; value: unknown; search: string }) {
  const text = JSON.stringify(value) ?? "null";
  const cut = text.length > MAX_SHOWN;
  return (
    <span className={COLORS[kind]}>
      <Marked text={cut ? text.slice(0, MAX_SHOWN) : text} search={search} />
      {cut && (
        <span className="text-muted"> … {(text.length - MAX_SHOWN).toLocaleString()} more characters</span>
      )}
    </span>
  );
}

/** A text with what was searched for marked in it. */
function Marked({ text, search }: { text: string; search: string }) {
  const at = search === "" ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-xs bg-mark text-inherit">{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  );
}
