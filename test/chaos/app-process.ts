/** Starts the app of the crash suite and asks it what it has done. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AppMessage } from "./app.ts";
import type { StepHistory } from "./journal.ts";
import { EVENT_KEY, SIGNING_KEY } from "./service-process.ts";

export interface AppProcess {
  /** Address of the endpoint. */
  url: string;
  /** Register with the service. */
  sync(): Promise<void>;
  /** Everything that was executed so far. */
  histories(): Promise<StepHistory[]>;
  stop(): Promise<void>;
}

/** Start the app for the service at a port, which need not be up yet. */
export async function startApp(servicePort: number): Promise<AppProcess> {
  const child = fork(fileURLToPath(new URL("app.ts", import.meta.url)), {
    env: {
      ...process.env,
      SVC_BASE_URL: `http://127.0.0.1:${servicePort}`,
      SVC_SIGNING_KEY: SIGNING_KEY,
      SVC_EVENT_KEY: EVENT_KEY,
      SVC_DEV: "0",
    },
  });
  const next = async <T extends AppMessage["type"]>(type: T) => {
    const [message] = (await once(child, "message")) as [AppMessage];
    if (message.type !== type) throw new Error(`the app said ${message.type} instead of ${type}`);
    return message as Extract<AppMessage, { type: T }>;
  };
  const { port } = await next("listening");
  const url = `http://127.0.0.1:${port}/api/svc`;
  return {
    url,
    async sync() {
      const response = await fetch(url, { method: "PUT" });
      if (!response.ok) throw new Error(`the app could not sync: ${await response.text()}`);
    },
    async histories() {
      child.send("histories");
      return (await next("histories")).histories;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
