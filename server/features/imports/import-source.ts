import type { Encoding } from '../../../contract/imports/imports.ts';
import { isBroken } from '../../lib/broken-text.ts';
import { type AsciiBased, rereading } from '../../lib/encodings.ts';
import type { SheetCell } from '../../lib/workbook/cell-value.ts';

/** A row of a file: its number in the spreadsheet, and its cells. */
export type SheetRow = [row: number, ...cells: SheetCell[]];

/** Rows whose letters are broken: how many, the first of them, and a word as it is. */
export type Broken = { count: number; rows: number[]; word: string };

/**
 * How the file of an import is kept and read; `source` in `imports.options`. The bytes are not kept: from a text that
 * was decoded in one encoding that extends ASCII, the text in another follows without loss (rereading).
 */
export type ImportSource = {
  /** The encoding in which the stored rows and headers were decoded; null for a workbook. */
  kept: Encoding | null;
  /** The encoding in use. */
  encoding: Encoding | null;
  /** The encodings to choose from, the likeliest first, each with some words. */
  choices: { encoding: AsciiBased; sample: string }[];
  /** By encoding, among those to choose from and the one in use. */
  broken: Partial<Record<Encoding, Broken>>;
  /** The cells of the headers as they are kept. */
  headers: string[];
  /** What to tell about the file in any encoding. */
  notes: string[];
  sheets: string[];
  sheet: string | null;
};

const isAsciiBased = (encoding: Encoding | null): encoding is AsciiBased =>
  encoding !== null && encoding !== 'UTF-16';

/** Whether a file can be read in an encoding. UTF-16 has other bytes between its cells than all others. */
export const canBeReadAs = ({ kept }: ImportSource, encoding: Encoding): boolean =>
  kept === encoding || (isAsciiBased(kept) && isAsciiBased(encoding));

/** Reads kept texts in an encoding; by default in the one in use. */
export async function readerOf(
  source: Pick<ImportSource, 'kept' | 'encoding'> | undefined,
  encoding: Encoding | null | undefined = source?.encoding,
): Promise<(text: string) => string> {
  const kept = source?.kept ?? null;
  return isAsciiBased(kept) && encoding != null && isAsciiBased(encoding)
    ? rereading(kept, encoding)
    : (text) => text;
}

/** Rows as they are read in the encoding in use. */
export const readRows = (rows: readonly SheetRow[], read: (text: string) => string): SheetRow[] =>
  rows.map(([number, ...cells]) => [
    number,
    ...cells.map((cell) => (typeof cell === 'string' ? read(cell) : cell)),
  ]);

/** The first rows are named in the warning. */
const NAMED_ROWS = 5;
/** Words that were rated are remembered, at most so many. */
const REMEMBERED = 10_000;
const WORD_LENGTH = 40;
const BEYOND_ASCII = /\P{ASCII}/u;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\P{ASCII}']+/u;

type Reader = { encoding: Encoding; read: (text: string) => string };

/** Counts the rows with broken letters in some encodings, while a file is read. */
export class BrokenRows {
  readonly #readers: readonly Reader[];
  readonly #found: Partial<Record<Encoding, Broken>> = {};
  readonly #broken = new Map<string, boolean>();

  constructor(readers: readonly Reader[]) {
    this.#readers = readers;
  }

  add(rows: readonly SheetRow[]): void {
    for (const [number, ...cells] of rows) {
      const texts = cells.filter((cell) => typeof cell === 'string' && BEYOND_ASCII.test(cell)) as string[];
      if (texts.length > 0) for (const reader of this.#readers) this.#countRow(number, texts, reader);
    }
  }

  /** The rows by encoding; an encoding without any is missing. */
  get found(): Partial<Record<Encoding, Broken>> {
    return this.#found;
  }

  #countRow(number: number, texts: readonly string[], { encoding, read }: Reader): void {
    const isUnicode = encoding === 'UTF-8' || encoding === 'UTF-16';
    for (const text of texts) {
      const word = read(text)
        .split(BETWEEN_WORDS)
        .find((one) => BEYOND_ASCII.test(one) && this.#isBroken(one, isUnicode));
      if (word === undefined) continue;
      this.#found[encoding] ??= { count: 0, rows: [], word: word.slice(0, WORD_LENGTH) };
      const found = this.#found[encoding];
      found.count += 1;
      if (found.rows.length < NAMED_ROWS) found.rows.push(number);
      return;
    }
  }

  #isBroken(word: string, isUnicode: boolean): boolean {
    const name = `${isUnicode}${word}`;
    const known = this.#broken.get(name);
    if (known !== undefined) return known;
    const broken = isBroken(word, isUnicode);
    if (this.#broken.size < REMEMBERED) this.#broken.set(name, broken);
    return broken;
  }
}
