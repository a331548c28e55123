import { Laptop } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Input } from "./field.tsx";
import { toast } from "./toast.tsx";

const KEY = "svc-dev-server";
const DEFAULT_ADDRESS = "http://localhost:8288/e/dev";
/** A dev server on this machine answers at once, or not at all. */
const TIMEOUT_MS = 5_000;

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
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.ok) return null;
    const body = (await answer.json().catch(() => ({}))) as { error?: unknown };
    return `${address} refused it: ${typeof body.error === "string" ? body.error : `status ${answer.status}.`}`;
  } catch {
    return `No dev server answers at ${address}. Start one with \`svc dev\`, or say where it is.`;
  }
}

interface AddressDialogProps {
  problem: string;
  onClose(): void;
  onSend(address: string): void;
}

function AddressDialog({ problem, onClose, onSend }: AddressDialogProps) {
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
        <Input
          label="Address of the dev server"
          name="address"
          defaultValue={localStorage.getItem(KEY) ?? DEFAULT_ADDRESS}
          error={wrong}
          hint="Kept in this browser."
        />
        <div className="flex justify-end gap-2">
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
  return url?.protocol === "http:" && (url.hostname === "localhost" || url.hostname === "127.0.0.1");
}
