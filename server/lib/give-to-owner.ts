import { chownSync, existsSync, statSync } from 'node:fs';

/**
 * Gives a file to the owner of its folder. Root may restore for a service with an account of its own, which could not
 * open a file of root.
 */
export function giveToOwnerOf(folder: string, file: string): void {
  if (process.getuid?.() !== 0 || !existsSync(file)) return;
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}
