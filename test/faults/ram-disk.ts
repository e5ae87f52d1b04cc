import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Only root may mount a disk that is small enough to fill. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A small temporary disk. */
export type RamDisk = {
  directory: string;
  /** Fills the disk up to this many free bytes. */
  fillUpTo: (free: number) => void;
  /** Frees the space. */
  clear: () => void;
};

/**
 * Mounts a tmpfs for one test.
 * @param owner the account that may write to it; root by default
 */
export function mountRamDisk(megabytes: number, owner = { uid: 0, gid: 0 }): RamDisk {
  const directory = mkdtempSync('/tmp/lm-disk-');
  const options = `size=${megabytes}m,mode=0700,uid=${owner.uid},gid=${owner.gid}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'lm-disk', directory]);
  onTestFinished(() => {
    // Lazily, because a process that is just ending may still have a file open.
    execFileSync('umount', ['--lazy', directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  const filler = join(directory, 'filler');
  return {
    directory,
    fillUpTo: (free) => {
      const { bavail, bsize } = statfsSync(directory);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free), 1));
    },
    clear: () => rmSync(filler, { force: true }),
  };
}
