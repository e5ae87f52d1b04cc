import { Archive } from './archive.ts';
import { type NumberFormat, readFormats } from './cell-formats.ts';
import { isoCell, numberCell, type SheetCell } from './cell-value.ts';
import { attributeOf, parseXml, readXml, type XmlEvents } from './read-xml.ts';
import { RichText, readSharedStrings, SharedStrings } from './shared-strings.ts';
import { brokenWorkbook, UnreadableWorkbook } from './unreadable-workbook.ts';
import { fromXml } from './xml-text.ts';

/** Reads workbooks (.xlsx, ECMA-376) of Excel, LibreOffice, Google and others, in small parts (INPUT-06). */

/** Limits that are checked while a file is read. */
export type WorkbookLimits = {
  /** The most bytes of all parts after unpacking. */
  unpacked: number;
  /** The most characters of a cell. */
  cell: number;
  /** The most columns; cells to the right of them must be empty. */
  columns: number;
};

/** A row: its number in the sheet, and its cells; one that is empty is '', and those behind the last are missing. */
export type NumberedRow = [row: number, ...cells: SheetCell[]];

/** What is known about a sheet after its last row. */
export type SheetFacts = {
  /** Rows that somebody hid, by hand or by a filter; they are read like others. */
  hidden: number;
  /** Rows with formulas whose result the program did not store, which are read as empty cells. */
  uncomputed: { count: number; first: number };
  /** The last row that begins an area of merged cells, whose value only the first of them has; 0 without any. */
  merged: number;
};

export type Workbook = {
  /** The names of the sheets that are not hidden, in order. */
  sheets: string[];
  /** The rows of a sheet, without rows that have no cell. `sheetFacts` are filled while they are read. */
  rows: (sheet: string, sheetFacts: SheetFacts) => AsyncGenerator<NumberedRow[]>;
};

export const noFacts = (): SheetFacts => ({ hidden: 0, uncomputed: { count: 0, first: 0 }, merged: 0 });

type Relation = { type: string; path: string };

/** The relations of a part to others, by id. Their types end alike in all versions of the format. */
async function relationsOf(archive: Archive, path: string): Promise<Map<string, Relation>> {
  const at = path.lastIndexOf('/') + 1;
  const relations = new Map<string, Relation>();
  const list = `${path.slice(0, at)}_rels/${path.slice(at)}.rels`;
  if (!archive.has(list)) return relations;
  await parseXml(archive.read(list), {
    open: (name, { Id, Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return;
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      relations.set(Id, { type, path: new URL(Target, `x:/${path}`).pathname.slice(1) });
    },
  });
  return relations;
}

const pathOf = (relations: Map<string, Relation>, requested: string): string | undefined =>
  [...relations.values()].find(({ type }) => type === requested)?.path;

/** Refuses archives of other things with the name of what they are. */
function checkKind(archive: Archive, main: string): void {
  if (archive.has(main) && !main.endsWith('.bin')) return;
  if (archive.has('xl/workbook.bin')) throw new UnreadableWorkbook({ kind: 'xlsb' });
  if (archive.has('content.xml') && archive.has('mimetype')) throw new UnreadableWorkbook({ kind: 'ods' });
  throw new UnreadableWorkbook({ kind: 'other' });
}

type SheetPart = { name: string; id: string; isHidden: boolean };

/**
 * Opens a workbook.
 * @throws UnreadableWorkbook
 */
export async function openWorkbook(bytes: Buffer, limits: WorkbookLimits): Promise<Workbook> {
  const archive = await Archive.open(bytes, limits.unpacked);
  const main = pathOf(await relationsOf(archive, ''), 'officeDocument') ?? 'xl/workbook.xml';
  checkKind(archive, main);
  const parts: SheetPart[] = [];
  let is1904 = false;
  await parseXml(archive.read(main), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = attributeOf(attributes, 'id') ?? '';
      const isHidden = /hidden/i.test(attributes.state ?? '');
      parts.push({ name: attributes.name ?? '', id, isHidden });
    },
  });
  const relations = await relationsOf(archive, main);
  // Sheets with a chart or a macro are no worksheets.
  const sheets = parts.filter(({ id, isHidden }) => !isHidden && relations.get(id)?.type === 'worksheet');
  const stringsPath = pathOf(relations, 'sharedStrings');
  const stylesPath = pathOf(relations, 'styles');
  let read: Promise<{ strings: SharedStrings; formats: NumberFormat[] }> | undefined;
  const shared = async () => ({
    strings: stringsPath
      ? await readSharedStrings(archive.read(stringsPath), limits.cell)
      : new SharedStrings(),
    formats: stylesPath ? await readFormats(archive.read(stylesPath)) : [],
  });
  return {
    sheets: sheets.map(({ name }) => name),
    rows: async function* (requested, sheetFacts) {
      const sheet = sheets.find(({ name }) => name === requested);
      if (!sheet) throw new UnreadableWorkbook({ kind: 'no-sheet', sheets: sheets.map(({ name }) => name) });
      read ??= shared();
      const reader = new SheetReader({ ...(await read), is1904 }, limits, sheetFacts);
      for await (const _part of readXml(archive.read(relations.get(sheet.id)!.path), reader.events)) {
        const rows = reader.take();
        if (rows.length > 0) yield rows;
      }
    },
  };
}

/** The number of a column from its letters, 0 for A. */
function columnOf(reference: string): number {
  const [letters = ''] = /^[A-Za-z]{1,3}/.exec(reference) ?? [];
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0) throw brokenWorkbook();
  return column - 1;
}

const ROWS_OF_FORMAT = 1_048_576;

type Facts = { strings: SharedStrings; formats: NumberFormat[]; is1904: boolean };
type OpenCell = { column: number; type: string; style: number; hasFormula: boolean };

/** Takes the events of a sheet's document and gives its rows. */
class SheetReader {
  readonly #facts: Facts;
  readonly #limits: WorkbookLimits;
  readonly #sheetFacts: SheetFacts;
  readonly #rich: RichText;
  #rows: NumberedRow[] = [];
  #number = 0;
  #cells: SheetCell[] = [];
  #lastColumn = -1;
  #cell: OpenCell | null = null;
  #value = '';
  #isValue = false;
  #isUncomputed = false;

  constructor(facts: Facts, limits: WorkbookLimits, sheetFacts: SheetFacts) {
    this.#facts = facts;
    this.#limits = limits;
    this.#sheetFacts = sheetFacts;
    this.#rich = new RichText(limits.cell);
  }

  /** Returns the rows that are complete, each only once. */
  take(): NumberedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly events: XmlEvents = {
    open: (name, attributes) => {
      if (name === 'row') this.#beginRow(attributes);
      else if (name === 'c') this.#beginCell(attributes);
      else if (name === 'mergeCell') this.#merge(attributes.ref ?? '');
      else if (this.#cell) {
        this.#isValue = name === 'v';
        if (name === 'f') this.#cell.hasFormula = true;
        this.#rich.open(name);
      }
    },
    text: (text) => {
      if (this.#isValue && this.#value.length <= this.#limits.cell)
        this.#value = (this.#value + text).slice(0, 7 * (this.#limits.cell + 1));
      else if (this.#cell) this.#rich.add(text);
    },
    close: (name) => {
      this.#isValue = false;
      if (name === 'c') this.#endCell();
      else if (name === 'row') this.#endRow();
      else if (this.#cell) this.#rich.close(name);
    },
  };

  #beginRow({ r, hidden }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.#number + 1 : Number(r);
    if (!(Number.isInteger(number) && number > this.#number && number <= ROWS_OF_FORMAT))
      throw brokenWorkbook();
    this.#number = number;
    this.#cells = [];
    this.#lastColumn = -1;
    this.#isUncomputed = false;
    if (/^(?:1|true)$/.test(hidden ?? '')) this.#sheetFacts.hidden += 1;
  }

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    const column = r === undefined ? this.#lastColumn + 1 : columnOf(r);
    if (column <= this.#lastColumn) throw brokenWorkbook();
    this.#lastColumn = column;
    this.#cell = { column, type: t, style: Number(s), hasFormula: false };
    this.#value = '';
  }

  #endCell(): void {
    if (!this.#cell) return;
    const { column } = this.#cell;
    const value = this.#valueOf(this.#cell);
    this.#cell = null;
    if (value === '') return;
    if (typeof value === 'string' && value.length > this.#limits.cell) throw this.#fault('long-cell');
    if (column >= this.#limits.columns) {
      if (typeof value === 'string' && value.trim() === '') return;
      throw this.#fault('many-cells');
    }
    while (this.#cells.length < column) this.#cells.push('');
    this.#cells.push(value);
  }

  #valueOf({ type, style, hasFormula }: OpenCell): SheetCell {
    const text = this.#value;
    if (type === 'inlineStr') return this.#rich.take();
    if (text === '') {
      if (hasFormula) this.#isUncomputed = true;
      return '';
    }
    const { strings, formats, is1904 } = this.#facts;
    switch (type) {
      case 's':
        return strings.at(Number(text));
      case 'b':
        return text.trim() === '1' ? 'VERDADERO' : 'FALSO';
      case 'd':
        return isoCell(text);
      case 'n': {
        const value = Number(text);
        return Number.isFinite(value) ? numberCell(value, formats[style] ?? 'number', is1904) : text;
      }
      default:
        return fromXml(text);
    }
  }

  #endRow(): void {
    if (this.#isUncomputed) {
      const { uncomputed } = this.#sheetFacts;
      uncomputed.first ||= this.#number;
      uncomputed.count += 1;
    }
    if (this.#cells.length > 0) this.#rows.push([this.#number, ...this.#cells]);
    this.#cells = [];
  }

  #merge(reference: string): void {
    const row = Number(/\d+/.exec(reference)?.[0] ?? 0);
    this.#sheetFacts.merged = Math.max(this.#sheetFacts.merged, row);
  }

  #fault(kind: 'long-cell' | 'many-cells'): UnreadableWorkbook {
    return new UnreadableWorkbook({ kind, record: this.#number });
  }
}
