import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { canMount } from './ram-disk.ts';

const MKFS = '/usr/sbin/mkfs.ext4';
const FSCK = '/usr/sbin/e2fsck';
/** It needs root, a loop device and the ext4 programs. */
export const canMountFailing =
  canMount && [MKFS, FSCK, '/dev/loop-control'].every((path) => existsSync(path));

type FailingDisk = {
  directory: string;
  /** Makes the disk read-only while it is in use, like the kernel after a disk fault. */
  fail: () => void;
  /** Checks the disk and mounts it again. No process may have a file on it open. */
  repair: () => void;
};

/** Mounts an ext4 disk image for one test. */
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
    // Lazily, because a process that is just ending may still have a file open.
    execFileSync('umount', ['--lazy', directory]);
    rmSync(root, { recursive: true, force: true });
  });
  return {
    directory,
    fail: () => execFileSync('mount', ['-o', 'remount,abort', directory]),
    repair: () => {
      execFileSync('umount', [directory]);
      // Exit code 1: the disk had faults, which were repaired.
      const { status } = spawnSync(FSCK, ['-f', '-y', image]);
      if (status === null || status > 1) throw new Error(`e2fsck ended with ${status}`);
      mount();
    },
  };
}
