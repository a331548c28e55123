/** Files of a folder that may come from anywhere: bounded, and nothing outside of it is read or written by way of a link. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandFailure, plain } from "./failure.ts";

/** Files of a folder that are looked at. */
const MAX_FILES = 5_000;

// Not known on Windows, where they are not needed. Without the second, a named pipe would be waited for.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * The text of a file; null when there is none. CRLF becomes LF: a checkout on Windows is no change.
 * @param maxBytes longest that is read
 * @throws CommandFailure when it is no file, a symbolic link, too large, or no UTF-8
 */
export async function readText(path: string, maxBytes: number): Promise<string | null> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ELOOP")
      throw new CommandFailure(`${plain(path)} is a symbolic link, and links are not followed.`);
    throw new CommandFailure(`${plain(path)} cannot be read (${code}).`);
  }
  try {
    const { size } = await file.stat().then((stat) => {
      if (!stat.isFile()) throw new CommandFailure(`${plain(path)} is not a file.`);
      return stat;
    });
    if (size > maxBytes)
      throw new CommandFailure(`${plain(path)} has ${size} bytes; it may have ${maxBytes}.`);
    const bytes = Buffer.alloc(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = (await file.read(bytes, length, size - length, length)).bytesRead;
    }
    return new TextDecoder("utf-8", { fatal: true })
      .decode(bytes.subarray(0, length))
      .replaceAll("\r\n", "\n");
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(`${plain(path)} is not UTF-8.`);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Write a file as a whole: a reader finds the old one or the new one. A link that is in its place is replaced.
 * @param mode 0o600 for what only its owner should read
 */
export async function writeText(path: string, text: string, mode = 0o666): Promise<void> {
  const beside = join(dirname(path), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(beside, "wx", mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw new CommandFailure(`${plain(path)} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Make a folder below another one, which is there. @throws CommandFailure when something else is in its place */
export async function makeFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new CommandFailure(`${plain(path)} cannot be made (${code}).`);
  }
  if (!(await isFolder(path))) throw new CommandFailure(`${plain(path)} is not a folder.`);
  return path;
}

/** Whether a path is a folder, and no link to one. */
async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Names of the entries of a folder, sorted; none when it is not there, or is a link. */
export async function namesIn(path: string): Promise<string[]> {
  if (!(await isFolder(path))) return [];
  const names = await readdir(path);
  if (names.length > MAX_FILES) {
    throw new CommandFailure(`${plain(path)} has ${names.length} files; ${MAX_FILES} are looked at.`);
  }
  return names.sort();
}
