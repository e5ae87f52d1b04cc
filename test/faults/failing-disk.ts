import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { canMount } from './ram-disk.ts';

const MKFS = '/usr/sbin/mkfs.ext4';
const FSCK = '/usr/sbin/e2fsck';
/** Needs root, a loop device and ext4's programs. */
export const canMountFailing =
  canMount && [MKFS, FSCK, '/dev/loop-control'].every((path) => existsSync(path));

type FailingDisk = {
  directory: string;
  /** Turns it read-only under whoever writes to it, as the kernel does after a fault of the disk. */
  fail: () => void;
  /** Checks and mounts it again; nobody may have a file of it open. */
  repair: () => void;
};

/** Mounts an ext4 disk for one test, in a file. */
export function mountFailingDisk(megabytes: number): FailingDisk {
  const root = mkdtempSync('/tmp/lm-failing-');
  const image = join(root, 'image');
  const directory = join(root, 'disk');
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1_000_000);
  execFileSync(MKFS, ['-q', '-F', image]);
  mkdirSync(directory);
  const mount = () => execFileSync('mount', ['-o', 'loop,errors=remount-ro', image, directory]);
  mount();
  onTestFinished(() => {
    // Lazily, because a process that is about to end may still have a file open.
    execFileSync('umount', ['--lazy', directory]);
    rmSync(root, { recursive: true, force: true });
  });
  return {
    directory,
    fail: () => execFileSync('mount', ['-o', 'remount,abort', directory]),
    repair: () => {
      execFileSync('umount', [directory]);
      // 1: it had faults and has none any more.
      const { status } = spawnSync(FSCK, ['-f', '-y', image]);
      if (status === null || status > 1) throw new Error(`e2fsck ended with ${status}`);
      mount();
    },
  };
}
