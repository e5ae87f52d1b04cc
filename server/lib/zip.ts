import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive: its path, with slashes, and its text. */
export type ZipEntry = { path: string; text: string };

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0 of the format: deflated files. */
const VERSION = 20;
/** Bit 11: paths are in UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;
/** A regular file that its owner may write, in Unix mode bits; 'made by' must be Unix for these to count. */
const MADE_BY_UNIX = (3 << 8) | VERSION;
const MODE = (0o100644 << 16) >>> 0;

/**
 * A ZIP archive (APPNOTE 6.3.3) of a few small files, in memory. It is without ZIP64, so at most 65,535 files and 4
 * GiB.
 * @param at the time of all files, in UTC; the format has steps of two seconds from 1980 on
 */
export function zipOf(entries: readonly ZipEntry[], at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, text } of entries) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    /** The part that both headers share, from 'version needed' to the length of the name. */
    const facts = Buffer.alloc(24);
    facts.writeUInt16LE(VERSION, 0);
    facts.writeUInt16LE(UTF8, 2);
    facts.writeUInt16LE(DEFLATED, 4);
    facts.writeUInt16LE(time, 6);
    facts.writeUInt16LE(date, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([uint32(LOCAL_HEADER), facts, uint16(0), name, packed]);
    directory.push(
      uint32(CENTRAL_HEADER),
      uint16(MADE_BY_UNIX),
      facts,
      // No extra field, no comment, first disk, no internal attributes.
      Buffer.alloc(8),
      uint32(MODE),
      uint32(offset),
      name,
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [uint32(END), Buffer.alloc(4), count, count, uint32(central.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, central, ...end]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
