import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** Renames a finished file so that the name survives a power failure. */
export function publish(draft: string, file: string): void {
  flush(draft);
  renameSync(draft, file);
  flush(dirname(file));
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Whether a path is a folder or stands somewhere in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
