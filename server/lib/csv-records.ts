/** Splits the text of a CSV file into records, as spreadsheets write them (RFC 4180 and what they do besides). */

/** What is counted while a file is read, so that no row of it costs more than this. */
export type CsvLimits = {
  cell: number;
  /** Cells of a row; empty ones beyond are left out, as spreadsheets write them to the right of a table. */
  columns: number;
};

export type CsvFault =
  | { kind: 'no-text' }
  | { kind: 'open-quote' | 'long-cell' | 'many-cells'; record: number };

export class UnreadableCsv extends Error {
  override name = 'UnreadableCsv';
  /** What is wrong: no text at all, or the record in which a limit is passed or a quote begins that is not closed. */
  readonly fault: CsvFault;

  constructor(fault: CsvFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** So many characters after its beginning, a quote counts as one that is not closed. */
const QUOTED_MAX = 1024 * 1024;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Takes a text in pieces and gives its records. A quote in the middle of a cell is a character like any other. Cells and
 * columns are counted while they are read: what is too long or too many ends the reading there.
 */
export class CsvRecords {
  readonly #separator: number;
  readonly #limits: CsvLimits;
  #records: string[][] = [];
  #count = 0;
  #cells: string[] = [];
  #column = 0;
  #cell = '';
  /** Characters of the cell, those beyond the limit too. */
  #length = 0;
  #state: 'start' | 'plain' | 'quoted' | 'after-quote' = 'start';
  #isAfterReturn = false;

  constructor(separator: string, limits: CsvLimits) {
    this.#separator = separator.charCodeAt(0);
    this.#limits = limits;
  }

  /** The records that are complete, each once. */
  take(): string[][] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** @throws UnreadableCsv */
  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#state === 'quoted') {
        at = this.#quoted(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (this.#isAfterReturn && code === LINE_FEED) at += 1;
      else if (this.#isEnd(code)) {
        this.#endCell();
        if (code !== this.#separator) this.#endRecord();
        at += 1;
      } else if (this.#state === 'plain') at = this.#plain(text, at);
      else at += this.#begin(code);
      this.#isAfterReturn = code === RETURN && this.#isEnd(code);
    }
  }

  #isEnd(code: number): boolean {
    return code === this.#separator || code === LINE_FEED || code === RETURN;
  }

  /** Takes what stands up to the closing quote. @returns the position after it */
  #quoted(text: string, from: number): number {
    const end = text.indexOf('"', from);
    this.#append(text, from, end < 0 ? text.length : end);
    if (end < 0) return text.length;
    this.#state = 'after-quote';
    return end + 1;
  }

  /** The first character of a cell, or the first after a closing quote. @returns how many characters it takes */
  #begin(code: number): 0 | 1 {
    const isAfterQuote = this.#state === 'after-quote';
    if (code === QUOTE) {
      if (isAfterQuote) this.#append('"', 0, 1);
      this.#state = 'quoted';
      return 1;
    }
    // Text after a closing quote: the quotes belong to it.
    if (isAfterQuote) this.#cell = `"${this.#cell}"`;
    this.#state = 'plain';
    return 0;
  }

  /** The text is over. @throws UnreadableCsv */
  end(): void {
    if (this.#state === 'quoted') throw this.#fault('open-quote');
    if (this.#state === 'start' && this.#column === 0) return;
    this.#endCell();
    this.#endRecord();
  }

  /** Takes what stands up to the end of the cell. @returns the position after it */
  #plain(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isEnd(code)) break;
    }
    this.#append(text, from, at);
    return at;
  }

  #append(text: string, from: number, to: number): void {
    this.#length += to - from;
    if (this.#length > QUOTED_MAX && this.#state === 'quoted') throw this.#fault('open-quote');
    if (this.#length <= this.#limits.cell) this.#cell += text.slice(from, to);
    else if (this.#state === 'plain') throw this.#fault('long-cell');
  }

  #endCell(): void {
    if (this.#length > this.#limits.cell) throw this.#fault('long-cell');
    if (this.#column < this.#limits.columns) this.#cells.push(this.#cell);
    else if (this.#cell.trim() !== '') throw this.#fault('many-cells');
    this.#column += 1;
    this.#cell = '';
    this.#length = 0;
    this.#state = 'start';
  }

  #endRecord(): void {
    this.#records.push(this.#cells);
    this.#count += 1;
    this.#cells = [];
    this.#column = 0;
  }

  #fault(kind: Exclude<CsvFault['kind'], 'no-text'>): UnreadableCsv {
    return new UnreadableCsv({ kind, record: this.#count + 1 });
  }
}
