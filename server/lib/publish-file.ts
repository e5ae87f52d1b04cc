import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Renames a finished file, so that the new name survives a power failure. */
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
