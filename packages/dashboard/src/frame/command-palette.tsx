import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  ArrowRight,
  GitBranch,
  Keyboard,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Search,
  SquareFunction,
  Sun,
  Webhook,
} from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { environmentsQuery } from "../api/environments.ts";
import { functionsQuery } from "../api/functions.ts";
import { useMay } from "../api/me.ts";
import type { Fn } from "../api/types.ts";
import { Keys } from "../parts/keys.tsx";
import { mode } from "../place.ts";
import { openDialog } from "./actions.ts";
import { PAGES } from "./pages.ts";
import { useSwitchEnvironment } from "./switch-environment.ts";
import { chooseTheme } from "./theme.ts";

/** Ids as the service makes them. */
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/i;

/** Words people type for pages have no digits, and ids hardly ever have none. */
function looksLikeId(text: string): boolean {
  return ULID.test(text) || (text.length >= 4 && /\d/.test(text));
}
const MAX_FUNCTIONS = 50;

/** The palette looks only at what it is given: those that have what was typed come first. */
function functionsFor(typed: string, functions: readonly Fn[]): Fn[] {
  const wanted = typed.trim().toLowerCase();
  const fits = ({ id, name }: Fn) => `${id} ${name}`.toLowerCase().includes(wanted);
  const rest = functions.filter((fn) => !fits(fn));
  return [...functions.filter(fits), ...rest].slice(0, MAX_FUNCTIONS);
}

/** Everything that can be gone to or done, by typing. */
export default function CommandPalette({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const functions = useQuery(functionsQuery());
  const environments = useQuery({ ...environmentsQuery(), enabled: mode === "start" });
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  const switchTo = useSwitchEnvironment();
  const others = environments.data?.filter(({ archived_at }) => archived_at === null) ?? [];
  const id = typed.trim();
  const maySend = useMay("send");
  const mayManage = useMay("manage");

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="animate-appear fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-md border border-line-strong bg-raised"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Command palette" loop>
            <Command.Input
              autoFocus
              value={typed}
              onValueChange={setTyped}
              placeholder="Go to a page, find an id, do something …"
              className="h-11 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[min(52vh,420px)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-muted">Nothing fits.</Command.Empty>
              {looksLikeId(id) && (
                <Group heading="Find">
                  {ULID.test(id) && (
                    <Item
                      icon={Search}
                      value={`run ${id}`}
                      onSelect={act(() =>
                        navigate({ to: "/runs/$runId", params: { runId: id.toUpperCase() } }),
                      )}
                    >
                      Open the run <code className="text-xs">{id}</code>
                    </Item>
                  )}
                  <Item
                    icon={Search}
                    value={`event ${id}`}
                    onSelect={act(() => navigate({ to: "/events/$eventId", params: { eventId: id } }))}
                  >
                    Open the event with id <code className="text-xs">{id}</code>
                  </Item>
                </Group>
              )}
              <Group heading="Do">
                {maySend && (
                  <Item icon={Plus} keys="c" onSelect={act(() => openDialog("send"))}>
                    Send an event
                  </Item>
                )}
                {mayManage && (
                  <Item
                    icon={Webhook}
                    onSelect={act(() => navigate({ to: "/webhooks", search: { create: "1" } as never }))}
                  >
                    Create a webhook
                  </Item>
                )}
                <Item icon={Keyboard} keys="?" onSelect={act(() => openDialog("shortcuts"))}>
                  Keyboard shortcuts
                </Item>
                <Item icon={Monitor} onSelect={act(() => chooseTheme("system"))}>
                  Theme as the system
                </Item>
                <Item icon={Sun} onSelect={act(() => chooseTheme("light"))}>
                  Light theme
                </Item>
                <Item icon={Moon} onSelect={act(() => chooseTheme("dark"))}>
                  Dark theme
                </Item>
              </Group>
              <Group heading="Go to">
                {PAGES.filter((page) => page.modes.includes(mode)).map((page) => (
                  <Item
                    key={page.to}
                    icon={page.icon}
                    keys={page.keys}
                    onSelect={act(() => navigate({ to: page.to }))}
                  >
                    {page.label}
                  </Item>
                ))}
              </Group>
              {others.length > 1 && (
                <Group heading="Switch environment">
                  {others.map(({ name }) => (
                    <Item
                      key={name}
                      icon={GitBranch}
                      value={`environment ${name}`}
                      onSelect={act(() => switchTo(name))}
                    >
                      {name}
                    </Item>
                  ))}
                </Group>
              )}
              {functions.data !== undefined && functions.data.length > 0 && (
                <Group heading="Functions">
                  {functionsFor(typed, functions.data).map((fn) => (
                    <Item
                      key={fn.id}
                      icon={SquareFunction}
                      value={`function ${fn.id} ${fn.name}`}
                      onSelect={act(() =>
                        navigate({ to: "/functions/$functionId", params: { functionId: fn.id } }),
                      )}
                    >
                      {fn.name} <span className="text-muted">{fn.id}</span>
                    </Item>
                  ))}
                </Group>
              )}
              {id !== "" && (
                <Group heading="Search">
                  <Item
                    icon={Search}
                    value={`search ${id}`}
                    onSelect={act(() => navigate({ to: "/events", search: { q: id } as never }))}
                  >
                    Search events for “{id}”
                  </Item>
                </Group>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon: LucideIcon;
  keys?: string;
  /** What typing is compared with, when that is not the text. */
  value?: string;
  onSelect(): void;
  children: ReactNode;
}

function Item({ icon: Icon, keys, value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      {...(value !== undefined && { value })}
      onSelect={onSelect}
      className="group flex h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover"
    >
      <Icon size={15} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys !== undefined ? (
        <Keys text={keys} />
      ) : (
        <ArrowRight
          size={13}
          aria-hidden
          className="text-muted opacity-0 group-data-[selected=true]:opacity-100"
        />
      )}
    </Command.Item>
  );
}
