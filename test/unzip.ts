import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/**
 * Reads an archive from its end, like other programs. test/sdk/developer-kit.test.ts reads one with another program.
 */
export function unzip(zip: Buffer): { path: string; text: string; bytes: Buffer }[] {
  const end = zip.length - 22;
  strictEqual(zip.readUInt32LE(end), 0x06054b50);
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    strictEqual(zip.readUInt32LE(at), 0x02014b50);
    const [sum, packed, size] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const [length, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const path = zip.toString('utf8', at + 46, at + 46 + length);
    const local = zip.readUInt32LE(at + 42);
    strictEqual(zip.readUInt32LE(local), 0x04034b50);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = inflateRawSync(zip.subarray(start, start + packed));
    deepStrictEqual([crc32(content), content.length], [sum, size]);
    at += 46 + length + extra + comment;
    return { path, text: content.toString('utf8'), bytes: content };
  });
}
