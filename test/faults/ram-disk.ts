import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Only root may mount; anybody else cannot make a disk small enough to be full. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A small disk of our own. */
export type RamDisk = {
  directory: string;
  /** Leaves so many bytes free. */
  fillUpTo: (free: number) => void;
  /** Gives the space back. */
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
    // Lazily, since whatever still has a file open there is about to end.
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
