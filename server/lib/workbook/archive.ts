import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { brokenWorkbook, tooLarge, UnreadableWorkbook } from './unreadable-workbook.ts';

/** The parts of a workbook, which is a ZIP archive, unpacked as streams and never to disk. */

/** A workbook has some dozens of entries; with pictures and comments some hundreds. */
const ENTRIES_MAX = 5000;

export class Archive {
  readonly #zip: ZipFile;
  /** By path; upper and lower case are the same there (OPC). */
  readonly #entries: ReadonlyMap<string, Entry>;
  #left: number;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, unpackedMax: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#left = unpackedMax;
  }

  /**
   * Opens an archive.
   * @param unpackedMax the most bytes that its entries may have, as they say and as they are
   * @throws UnreadableWorkbook
   */
  static async open(bytes: Buffer, unpackedMax: number): Promise<Archive> {
    const entries = new Map<string, Entry>();
    let said = 0;
    try {
      // Entries are checked while they are read: their paths here, their sizes as they are unpacked.
      const zip = await fromBufferPromise(bytes, { lazyEntries: true });
      if (zip.entryCount > ENTRIES_MAX) throw tooLarge();
      for await (const entry of zip.eachEntry()) {
        said += entry.uncompressedSize;
        if (said > unpackedMax) throw tooLarge();
        const path = entry.fileName.toLowerCase();
        if (entries.has(path)) throw brokenWorkbook(new Error(`two entries ${path}`));
        entries.set(path, entry);
      }
      return new Archive(zip, entries, unpackedMax);
    } catch (error) {
      throw error instanceof UnreadableWorkbook ? error : brokenWorkbook(error);
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase());
  }

  /**
   * The bytes of an entry, in pieces; none if there is no such entry.
   * @throws UnreadableWorkbook, also when the entries that were read have too many bytes together
   */
  async *read(path: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(path.toLowerCase());
    if (!entry) return;
    if (entry.isEncrypted()) throw new UnreadableWorkbook({ kind: 'encrypted' });
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      try {
        for await (const piece of stream as AsyncIterable<Buffer>) {
          this.#left -= piece.length;
          if (this.#left < 0) throw tooLarge();
          yield piece;
        }
      } finally {
        stream.destroy();
      }
    } catch (error) {
      throw error instanceof UnreadableWorkbook ? error : brokenWorkbook(error);
    }
  }
}
