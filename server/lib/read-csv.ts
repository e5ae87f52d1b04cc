import { isUtf8 } from 'node:buffer';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type CsvLimits, CsvRecords, UnreadableCsv } from './csv-records.ts';

/** Reads CSV files as spreadsheets write them: their encodings, separators and quotes. */

/** The number of bytes that are decoded and parsed before other requests run; it takes a few milliseconds. */
const SLICE = 16 * 1024;
/** The number of lines from which the separator is guessed. */
const PROBED_LINES = 20;
const PROBED_BYTES = 64 * 1024;

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

/** The first bytes of files that are not text: xlsx and ods, xls, PDF. */
const BINARY_STARTS = ['504b0304', 'd0cf11e0', '25504446'];

/**
 * The encoding of a file: by its byte order mark; without one UTF-8 if the bytes are valid UTF-8, else Windows-1252.
 */
function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/**
 * Guesses the separator: the one that occurs equally often in most of the first lines; if two do, the more frequent
 * one.
 */
export function separatorOf(text: string): Separator {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, PROBED_LINES);
  const scored = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1).filter((count) => count > 0);
    const lineCounts = [...Map.groupBy(counts, (count) => count)].map(([count, same]) => [
      same.length,
      count,
    ]);
    const [lineCount = 0, count = 0] =
      lineCounts.sort(([a = 0, b = 0], [c = 0, d = 0]) => c - a || d - b)[0] ?? [];
    return { separator, lineCount, count };
  });
  return scored.sort((a, b) => b.lineCount - a.lineCount || b.count - a.count)[0]!.separator;
}

/** The line `sep=;` at the beginning, a hint from Excel that is not a row. */
const HINT = /^sep=([,;\t])\r?\n?/i;

function* slicesOf(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += SLICE) {
    yield decoder.decode(bytes.subarray(start, start + SLICE), { stream: true });
  }
  yield decoder.decode();
}

/**
 * The records of a file, in small parts; other requests run in between. A blank line is a record with one empty cell,
 * so that the number of a record equals its row number in the spreadsheet.
 * @throws UnreadableCsv for a file that is not text, a quote that is not closed, or an exceeded limit
 */
export async function* readCsv(bytes: Buffer, limits: CsvLimits): AsyncGenerator<string[][]> {
  if (BINARY_STARTS.includes(bytes.subarray(0, 4).toString('hex')))
    throw new UnreadableCsv({ kind: 'no-text' });
  const encoding = encodingOf(bytes);
  const start = new TextDecoder(encoding).decode(bytes.subarray(0, PROBED_BYTES));
  const hint = HINT.exec(start);
  const records = new CsvRecords(hint?.[1] ?? separatorOf(start), limits);
  let isFirst = true;
  for (const slice of slicesOf(bytes, encoding)) {
    records.write(isFirst && hint ? slice.slice(hint[0].length) : slice);
    isFirst = false;
    await letOthersRun();
    yield records.take();
  }
  records.end();
  yield records.take();
}
