/** Production services with people in them, for tests over HTTP: hashing is cheap, and time goes in leaps. */
import assert from "node:assert/strict";
import { after } from "node:test";
import type { ScryptCost } from "../packages/server/src/access/people/passwords.ts";
import { systemClock } from "../packages/server/src/clock.ts";
import { loadConfig } from "../packages/server/src/config.ts";
import { silentLogger } from "../packages/server/src/observe/log.ts";
import { type RunningServer, startServer } from "../packages/server/src/server.ts";
import { type Answer, type Browser, openBrowser } from "./browser.ts";

export const PASSWORD = "an engine of 1842";
export const HOUR = 3_600_000;

let leaped = 0;
/** Time moves on by itself, and in leaps when a test says so. */
export const clock = {
  ...systemClock,
  now: () => Date.now() + leaped,
  leap(ms: number) {
    leaped += ms;
  },
};

const running: RunningServer[] = [];
after(async () => {
  for (const server of running) await server.close();
});

/** A millisecond a login: few tests are about hashing. */
export const FAST: ScryptCost = { N: 2 ** 10, r: 8, p: 1 };

/** Start the service as `svc start` does; it ends with the tests. */
export async function startPeople(flags: string[] = [], passwordCost = FAST): Promise<RunningServer> {
  const args = ["--in-memory", "--host", "127.0.0.1", "--port", "0", ...flags];
  const server = await startServer(loadConfig("start", args, {}), {
    logger: silentLogger,
    clock,
    passwordCost,
  });
  running.push(server);
  return server;
}

/** What a link ends with. */
export const tokenOf = (url: string) => url.slice(url.indexOf("#") + 1);
/** Assert that an answer is this error. */
export function refused(answer: Answer, status: number, code: string, why = ""): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${why} ${answer.body.error}`);
}

/** A service with an owner, Ada, and what it takes to bring in others. */
export async function startWithOwner(flags: string[] = [], always: Record<string, string> = {}) {
  const server = await startPeople(flags);
  const browser = () => openBrowser(server.url, always);
  const ada = browser();
  const setUp = await ada.send("POST", "/v1/setup", {
    token: tokenOf(server.setupUrl!),
    name: "Ada",
    email: "ada@example.com",
    password: PASSWORD,
  });
  assert.equal(setUp.status, 200, setUp.body.error);
  const join = async (role: string, name: string, by: Browser = ada) => {
    const invitation = await by.send("POST", "/v1/invitations", { role });
    assert.equal(invitation.status, 200, invitation.body.error);
    const person = browser();
    const accepted = await person.send("POST", "/v1/invitations/accept", {
      token: tokenOf(invitation.body.data.url),
      name,
      email: `${name.toLowerCase()}@example.com`,
      password: PASSWORD,
    });
    assert.equal(accepted.status, 200, accepted.body.error);
    return Object.assign(person, { id: accepted.body.data.user.id as string });
  };
  const logIn = async (name: string, password = PASSWORD) => {
    const person = browser();
    const email = `${name}@example.com`;
    return { person, answer: await person.send("POST", "/v1/session", { email, password }) };
  };
  return { server, browser, ada, adaId: setUp.body.data.user.id as string, join, logIn };
}
