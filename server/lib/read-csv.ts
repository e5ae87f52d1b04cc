import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type CsvLimits, CsvRecords } from './csv-records.ts';

/** Reads CSV files as spreadsheets write them: their separators and quotes. */

/** The number of characters that are parsed before other requests run; it takes a few milliseconds. */
const SLICE = 16 * 1024;
/** The number of lines from which the separator is guessed. */
const PROBED_LINES = 20;
/** The number of characters in which they are looked for. */
const PROBED = 64 * 1024;

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

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

/**
 * The records of a text, in small parts; other requests run in between. A blank line is a record with one empty cell,
 * so that the number of a record equals its row number in the spreadsheet.
 * @param texts the text in pieces that are small enough to be parsed at once
 * @throws UnreadableCsv for a quote that is not closed, or an exceeded limit
 */
export async function* readCsv(texts: Iterable<string>, limits: CsvLimits): AsyncGenerator<string[][]> {
  const pieces = texts[Symbol.iterator]();
  let start = '';
  while (start.length < PROBED) {
    const { value, done } = pieces.next();
    if (done) break;
    start += value;
  }
  const hint = HINT.exec(start);
  const records = new CsvRecords(hint?.[1] ?? separatorOf(start), limits);
  // The start is parsed in pieces too.
  for (let at = hint?.[0].length ?? 0; at < start.length; at += SLICE) {
    records.write(start.slice(at, at + SLICE));
    await letOthersRun();
    yield records.take();
  }
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    records.write(next.value);
    await letOthersRun();
    yield records.take();
  }
  records.end();
  yield records.take();
}
