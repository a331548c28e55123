import { Laptop } from "lucide-react";
import { type FormEvent, useState } from "react";
import { curlText } from "../events/event-texts.ts";
import { mode, serviceUrl } from "../place.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Input } from "./field.tsx";
import { toast } from "./toast.tsx";

const KEY = "svc-dev-server";
/** Where `svc dev` is unless told otherwise; a page that comes from one on this machine means that one. */
const DEFAULT_ADDRESS =
  mode === "dev" && isHere(location.hostname) ? serviceUrl("e/dev") : "http://localhost:8288/e/dev";
/** A dev server on this machine answers at once, or not at all. */
const TIMEOUT_MS = 5_000;
/** As long as the browser may be asking its reader whether this page may reach other programs of the machine. */
const ASKING_TIMEOUT_MS = 60_000;
/** What Chromium has called that permission, newest first. */
const LOCAL_PERMISSIONS = ["loopback-network", "local-network-access"];

interface SendToDevProps {
  /** What is sent: an event, or several. */
  event: () => unknown;
}

/** Sends a copy from this browser to the dev server on the reader's own machine. */
export function SendToDev({ event }: SendToDevProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const attempt = async (address: string) => {
    setSending(true);
    const failure = await post(address, event());
    setSending(false);
    setProblem(failure);
    if (failure === null) toast("done", `A copy was sent to ${address}.`);
  };
  return (
    <>
      <Button
        icon={<Laptop size={13} aria-hidden />}
        disabled={sending}
        onClick={() => attempt(localStorage.getItem(KEY) ?? DEFAULT_ADDRESS)}
      >
        Send to Dev Server
      </Button>
      {problem !== null && (
        <AddressDialog
          problem={problem}
          event={event}
          onClose={() => setProblem(null)}
          onSend={(address) => {
            localStorage.setItem(KEY, address);
            void attempt(address);
          }}
        />
      )}
    </>
  );
}

/** @returns null when it was taken, else why not */
async function post(address: string, event: unknown): Promise<string | null> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout((await localAccess()) === "prompt" ? ASKING_TIMEOUT_MS : TIMEOUT_MS),
    });
    if (answer.ok) return null;
    const body = (await answer.json().catch(() => ({}))) as { error?: unknown };
    return `${address} refused it: ${typeof body.error === "string" ? body.error : `status ${answer.status}.`}`;
  } catch {
    if ((await localAccess()) === "denied") return `The browser does not let this page reach ${address}.`;
    return `No dev server answers at ${address}. Start one with \`svc dev\`, or say where it is.`;
  }
}

/** Whether this page may reach other programs of its reader's machine, where the browser has a permission for that. */
async function localAccess(): Promise<PermissionState | "unknown"> {
  // From that very machine it may, whatever the permission says.
  if (isHere(location.hostname)) return "granted";
  for (const name of LOCAL_PERMISSIONS) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // This browser does not know it by that name.
    }
  }
  return "unknown";
}

interface AddressDialogProps {
  problem: string;
  event: () => unknown;
  onClose(): void;
  onSend(address: string): void;
}

function AddressDialog({ problem, event, onClose, onSend }: AddressDialogProps) {
  const [wrong, setWrong] = useState<string>();
  const submit = (form: FormEvent<HTMLFormElement>) => {
    form.preventDefault();
    const address = String(new FormData(form.currentTarget).get("address")).trim();
    if (isLocal(address)) onSend(address);
    else setWrong("Pages may only send to http://localhost or http://127.0.0.1, with any port.");
  };
  return (
    <Dialog title="Send to Dev Server" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p role="alert">{problem}</p>
        {!isHere(location.hostname) && (
          <p className="text-muted">
            This page comes from another machine. Chromium and its kin ask before such a page reaches yours,
            Safari never lets it, and no browser does when the page came over plain http. A copy always works
            from a terminal.
          </p>
        )}
        <Input
          label="Address of the dev server"
          name="address"
          defaultValue={localStorage.getItem(KEY) ?? DEFAULT_ADDRESS}
          error={wrong}
          hint="Kept in this browser."
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            className="mr-auto"
            onClick={() => copyText(curlText(event(), localStorage.getItem(KEY) ?? DEFAULT_ADDRESS))}
          >
            Copy as curl
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the content security policy lets this page reach. */
function isLocal(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "http:" && isHere(url.hostname);
}

function isHere(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1";
}
