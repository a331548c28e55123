/** A disk so small that a test can fill it: a tmpfs of its own, which only root may mount. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  /** A directory on the disk, for the service. */
  dataDir: string;
  /** Remove the file that takes up most of the disk. */
  freeSpace(): void;
  freeBytes(): number;
  unmount(): void;
}

/**
 * Mount a disk, two thirds of it taken by a ballast file: what was begun on the full disk needs space to end, too.
 * @returns the disk, or the reason why there can be none here
 */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  if (process.platform !== "linux")
    return `a small disk is mounted as tmpfs, which ${process.platform} has not`;
  const dir = mkdtempSync(join(tmpdir(), "svc-disk-"));
  const { status, stderr, error } = spawnSync(
    "mount",
    ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", dir],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) {
    rmdirSync(dir);
    return `mounting a small disk needs root: ${(error?.message ?? stderr).trim()}`;
  }
  const ballast = join(dir, "ballast");
  writeFileSync(ballast, Buffer.alloc(Math.floor((megabytes * 2) / 3) * 1024 * 1024));
  const dataDir = join(dir, "data");
  mkdirSync(dataDir);
  return {
    dataDir,
    freeSpace: () => rmSync(ballast),
    freeBytes() {
      const { bavail, bsize } = statfsSync(dir);
      return bavail * bsize;
    },
    unmount() {
      spawnSync("umount", [dir]);
      rmdirSync(dir);
    },
  };
}
