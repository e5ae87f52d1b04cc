import { buffer } from 'node:stream/consumers';

/** A file in an archive: its path, with slashes, and its text, or its bytes. */
export type ZipEntry = { path: string; text: string | Buffer };

/** A regular file that its owner may write, in Unix mode bits. */
const MODE = 0o100644;

/**
 * A ZIP archive of a few small files, in memory.
 * @param at the time of all files
 */
export async function zipOf(entries: readonly ZipEntry[], at: Date): Promise<Buffer> {
  // Loaded at the first archive.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  for (const { path, text } of entries)
    zip.addBuffer(typeof text === 'string' ? Buffer.from(text) : text, path, { mtime: at, mode: MODE });
  zip.end();
  return buffer(zip.outputStream);
}
