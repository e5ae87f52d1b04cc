/**
 * Splits the text of a CSV file into records, in the form that spreadsheets write (RFC 4180 and their own
 * extensions).
 */

/** Limits that are checked while a file is read, so that no row needs more memory than this. */
export type CsvLimits = {
  cell: number;
  /**
   * The most cells of a row. Further empty cells are ignored, because spreadsheets write them to the right of a
   * table.
   */
  columns: number;
};

/** The record in which a limit is exceeded or a quote is not closed. */
export type CsvFault = { kind: 'open-quote' | 'long-cell' | 'many-cells'; record: number };

export class UnreadableCsv extends Error {
  override name = 'UnreadableCsv';
  readonly fault: CsvFault;

  constructor(fault: CsvFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** If a quote is not closed within this many characters, reading stops. */
const QUOTED_MAX = 1024 * 1024;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Takes a text in pieces and returns its records. A quote in the middle of a cell is an ordinary character. Cells and
 * columns are counted while they are read, so that reading stops at the first one that exceeds a limit.
 */
export class CsvRecords {
  readonly #separator: number;
  readonly #limits: CsvLimits;
  #records: string[][] = [];
  #count = 0;
  #cells: string[] = [];
  #column = 0;
  #cell = '';
  /** The number of characters in the cell, including those beyond the limit. */
  #length = 0;
  #state: 'start' | 'plain' | 'quoted' | 'after-quote' = 'start';
  #isAfterReturn = false;

  constructor(separator: string, limits: CsvLimits) {
    this.#separator = separator.charCodeAt(0);
    this.#limits = limits;
  }

  /** Returns the records that are complete, each only once. */
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

  /**
   * Reads up to the closing quote.
   * @returns the position after it
   */
  #quoted(text: string, from: number): number {
    const end = text.indexOf('"', from);
    this.#append(text, from, end < 0 ? text.length : end);
    if (end < 0) return text.length;
    this.#state = 'after-quote';
    return end + 1;
  }

  /**
   * Handles the first character of a cell, or the first after a closing quote.
   * @returns how many characters it consumed
   */
  #begin(code: number): 0 | 1 {
    const isAfterQuote = this.#state === 'after-quote';
    if (code === QUOTE) {
      if (isAfterQuote) this.#append('"', 0, 1);
      this.#state = 'quoted';
      return 1;
    }
    // Text after a closing quote: the quotes are then part of the value.
    if (isAfterQuote) this.#cell = `"${this.#cell}"`;
    this.#state = 'plain';
    return 0;
  }

  /**
   * Ends the text.
   * @throws UnreadableCsv
   */
  end(): void {
    if (this.#state === 'quoted') throw this.#fault('open-quote');
    if (this.#state === 'start' && this.#column === 0) return;
    this.#endCell();
    this.#endRecord();
  }

  /**
   * Reads up to the end of the cell.
   * @returns the position after it
   */
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

  #fault(kind: CsvFault['kind']): UnreadableCsv {
    return new UnreadableCsv({ kind, record: this.#count + 1 });
  }
}
