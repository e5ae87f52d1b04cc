import { crc32, deflateSync } from 'node:zlib';

/** Generates images for tests, of one colour and any size. */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/**
 * A PNG of one colour.
 * @param bytes the file size, filled with a text chunk; default: as small as possible
 */
export function png(width: number, height: number, bytes = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // Bit depth 8, greyscale.
  header[8] = 8;
  // A huge image has its size only in the header, without pixels.
  const rows = width * height > 4_000_000 ? Buffer.alloc(0) : Buffer.alloc((width + 1) * height, 0x60);
  for (let at = 0; at < rows.length; at += width + 1) rows[at] = 0;
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const missing = bytes - Buffer.concat(parts).length - 12;
  if (missing > 0) parts.splice(2, 0, chunk('tEXt', Buffer.alloc(missing, 0x61)));
  return Buffer.concat(parts);
}

/** The segments of a JPEG that contain its size. It has no pixels. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0x4a, 0x46]);
  return Buffer.concat([head, frame, Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9])]);
}
