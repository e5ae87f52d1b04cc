import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { CURRENCIES, decimalsOf } from '../../../contract/base/money.ts';
import { isCalendarDay } from '../../../contract/base/text.ts';
import { wallClock } from '../../../contract/base/time.ts';
import { workbookText } from '../../../contract/base/workbook-cell.ts';
import { toSerial } from './serial-days.ts';
import { toXml } from './xml-text.ts';

/** A table of one sheet. */
type Sheet<Row> = {
  title: string;
  columns: readonly FileColumn<Row>[];
  batches: AsyncIterable<Row[]>;
};

/** The number of characters that are written before other requests run; it takes a few milliseconds. */
const SLICE = 100_000;
/** The most characters of a cell; Excel calls a file with a longer one damaged. */
const CELL_MAX = 32_767;
/** The widths of columns, in characters. */
const WIDTH = { least: 8, most: 50 } as const;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The formats of cells: each is an entry of `cellXfs`, in this order. */
const FORMATS = ['general', 'header', 'text', 'whole', 'cents', 'day', 'moment'] as const;
type Format = (typeof FORMATS)[number];
const styleOf = (format: Format) => FORMATS.indexOf(format);

/** Text has the format Text, so that what somebody types over a key or a phone stays as typed. */
const NUMBER_FORMATS: Record<Format, number> = {
  general: 0,
  header: 49,
  text: 49,
  whole: 3,
  cents: 4,
  day: 164,
  moment: 165,
};

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${FORMATS.length}">${FORMATS.map(
  (format) =>
    `<xf numFmtId="${NUMBER_FORMATS[format]}" fontId="${format === 'header' ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
).join(
  '',
)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The parts of a workbook beside its sheet, by path. */
const partsOf = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${toXml(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLES,
});

/**
 * A workbook (.xlsx) with one sheet, as a stream: one batch of rows is in memory, and other requests run after each
 * slice. Numbers, days and moments have their types; text is text, without the apostrophe of CSV (D014), because no
 * spreadsheet evaluates a cell of this type. The header is bold and stays in view.
 * @param timeZone the zone in which instants are shown
 */
export function workbookOf<Row>(sheet: Sheet<Row>, timeZone: string): Readable {
  const zip = new ZipFile();
  const now = new Date();
  for (const [path, text] of Object.entries(partsOf(sheet.title)))
    zip.addBuffer(Buffer.from(text), path, { mtime: now });
  const content = Readable.from(sheetXml(sheet, timeZone), { objectMode: false, highWaterMark: SLICE });
  // The output is the stream of the answer: it ends with the rows' error, and the rows end when the caller leaves.
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  content.on('error', fail);
  output.once('close', () => content.destroy());
  zip.addReadStream(content, 'xl/worksheets/sheet1.xml', { mtime: now });
  zip.end();
  return output;
}

async function* sheetXml<Row>({ columns, batches }: Sheet<Row>, timeZone: string): AsyncGenerator<string> {
  const letters = columns.map((_column, index) => columnName(index));
  const header = columns.map(({ header: text }) => text);
  let number = 1;
  let slice = '';
  const begin = (rows: readonly Row[]) =>
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
      .map((column, index) => columnXml(column, index, rows))
      .join('')}</cols><sheetData>${rowXml(
      1,
      header.map((text, index) => textXml(`${letters[index]}1`, text, 'header')),
    )}`;
  for await (const rows of batches) {
    if (number === 1) slice = begin(rows);
    for (const row of rows) {
      number += 1;
      const cells = columns.map((column, index) =>
        cellXml(`${letters[index]}${number}`, column, row, timeZone),
      );
      slice += rowXml(number, cells);
      if (slice.length < SLICE) continue;
      yield slice;
      slice = '';
      await letOthersRun();
    }
  }
  if (number === 1) slice = begin([]);
  yield `${slice}</sheetData></worksheet>`;
}

/** The letters of a column: A to Z, AA and so on. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

const rowXml = (number: number, cells: readonly string[]) => `<row r="${number}">${cells.join('')}</row>`;

const COLUMN_FORMATS: Record<FileColumn<unknown>['type'], Format> = {
  text: 'text',
  count: 'general',
  percent: 'general',
  money: 'cents',
  day: 'day',
  moment: 'moment',
};

/** A column as wide as its header and its first texts. */
function columnXml<Row>(
  { header, type, value }: FileColumn<Row>,
  index: number,
  rows: readonly Row[],
): string {
  const lengths = rows.map((row) =>
    type === 'day' ? 10 : type === 'moment' ? 19 : String(value(row) ?? '').length,
  );
  // Bold headers are wider.
  const longest = Math.max(header.length * 1.15, ...lengths);
  const width = Math.min(WIDTH.most, Math.max(WIDTH.least, Math.ceil(longest) + 2));
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styleOf(COLUMN_FORMATS[type])}" customWidth="1"/>`;
}

/** A cell with its type; nothing for an empty one. */
function cellXml<Row>(
  at: string,
  { type, value, currency }: FileColumn<Row>,
  row: Row,
  timeZone: string,
): string {
  const cell = value(row);
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return numberXml(at, cell, numberFormat(type, currency?.(row)));
  if (typeof cell === 'boolean') return textXml(at, cell ? 'Sí' : 'No');
  if (typeof cell === 'object') return textXml(at, cell.asRead);
  const dated = type === 'day' || type === 'moment' ? datedXml(at, cell, type, timeZone) : null;
  return dated ?? textXml(at, workbookText(cell));
}

function numberFormat(type: FileColumn<unknown>['type'], currency: string | undefined): Format {
  if (type !== 'money') return 'general';
  const known = CURRENCIES.find((code) => code === currency);
  return known && decimalsOf(known) === 0 ? 'whole' : 'cents';
}

/** A number; one that is none, such as a division by 0, is an empty cell. */
const numberXml = (at: string, value: number, format: Format) =>
  Number.isFinite(value) ? `<c r="${at}" s="${styleOf(format)}"><v>${value}</v></c>` : '';

const textXml = (at: string, text: string, format: Format = 'text') =>
  `<c r="${at}" s="${styleOf(format)}" t="inlineStr"><is><t xml:space="preserve">${toXml(text.slice(0, CELL_MAX))}</t></is></c>`;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A day or an instant in local time as a date. A day of before 1900, which no workbook has, and any other text: null.
 */
function datedXml(at: string, text: string, type: 'day' | 'moment', timeZone: string): string | null {
  const local = INSTANT.test(text)
    ? wallClock(Date.parse(text), timeZone)
    : isCalendarDay(text)
      ? Date.parse(text)
      : Number.NaN;
  const serial = toSerial(local);
  // Numbers of before March 1900 are read in two ways.
  if (!(serial > 60)) return null;
  return numberXml(at, type === 'day' ? Math.floor(serial) : serial, type);
}
