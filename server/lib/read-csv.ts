import { isUtf8 } from 'node:buffer';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type CsvError, parse } from 'csv-parse';

/** Reads CSV files as spreadsheets write them: their encodings, separators and quotes. */

/** Bytes that are decoded and parsed before other requests have their turn. */
const SLICE = 64 * 1024;
/** The longest row, in bytes; a quote that is not closed would swallow the rest of the file. */
const RECORD_BYTES_MAX = 1024 * 1024;
/** The lines from which the separator is found. */
const PROBED_LINES = 20;
const PROBED_BYTES = 64 * 1024;

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

/** The first bytes of files that are no text: xlsx and ods, xls, PDF. */
const BINARY_STARTS = ['504b0304', 'd0cf11e0', '25504446'];

export class UnreadableCsv extends Error {
  override name = 'UnreadableCsv';
  /** What is wrong: no text at all, or a quote that begins in this record and is not closed. */
  readonly fault: { kind: 'no-text' } | { kind: 'open-quote'; record: number };

  constructor(fault: UnreadableCsv['fault']) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** The encoding of a file: by its byte order mark, else UTF-8 where it is that, else that of Windows. */
export function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** The separator that most of the first lines have equally often, and of two such the more frequent one. */
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

/** Excel's own hint in the first line, which it does not show as a row. */
const HINT = /^sep=([,;\t])\r?\n?/i;

function* slicesOf(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += SLICE) {
    yield decoder.decode(bytes.subarray(start, start + SLICE), { stream: true });
  }
  yield decoder.decode();
}

/**
 * The records of a file, some at a time; others run in between. A blank line is a record with one empty cell, so that
 * the number of a record is that of its row in the spreadsheet.
 * @throws UnreadableCsv for a file that is no text, and for a quote that is not closed
 */
export async function* readCsv(bytes: Buffer): AsyncGenerator<string[][]> {
  if (BINARY_STARTS.includes(bytes.subarray(0, 4).toString('hex')))
    throw new UnreadableCsv({ kind: 'no-text' });
  const encoding = encodingOf(bytes);
  const start = new TextDecoder(encoding).decode(bytes.subarray(0, PROBED_BYTES));
  const hint = HINT.exec(start);
  const parser = parse({
    delimiter: hint?.[1] ?? separatorOf(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: RECORD_BYTES_MAX,
  });
  let records: string[][] = [];
  let failure: CsvError | null = null;
  parser.on('data', (record: string[]) => records.push(record));
  parser.on('error', (error: CsvError) => {
    failure = error;
  });
  const taken = () => {
    const some = records;
    records = [];
    return some;
  };
  const ended = new Promise((resolve) => parser.once('close', resolve));
  let isFirst = true;
  for (const slice of slicesOf(bytes, encoding)) {
    if (failure) break;
    const text = isFirst && hint ? slice.slice(hint[0].length) : slice;
    isFirst = false;
    // What does not fit waits in the parser: at most the file itself.
    parser.write(text);
    await letOthersRun();
    yield taken();
  }
  if (!failure) parser.end();
  await ended;
  yield taken();
  if (failure) throw new UnreadableCsv({ kind: 'open-quote', record: parser.info.records + 1 });
}
