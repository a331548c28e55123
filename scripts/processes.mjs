// Child processes that live and die with this one.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname } from "node:path";
import { ROOT } from "./setup.mjs";

const running = new Set();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // A Ctrl-C reaches the children of a terminal by itself as well; svc takes two at once for one.
    for (const child of running) child.kill(signal);
    if (running.size === 0) process.exit(128 + constants.signals[signal]);
  });
}

/**
 * Start `node <args>` in the project's root, on this process's terminal. `node` is first on the child's PATH.
 * @param {string} node path of the executable
 * @param {string[]} args
 * @param {Record<string, string>} env added to this process's
 */
export function startTask(node, args, env = {}) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`;
  const child = spawn(node, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, PATH: path, ...env },
  });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`${node} could not be started: ${error.message}`);
      running.delete(child);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
  return { child, ended };
}

/** Run `node <args>` to its end; resolves with its exit code. */
export function spawnTask(node, args, env) {
  return startTask(node, args, env).ended;
}
