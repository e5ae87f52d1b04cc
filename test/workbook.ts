import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Workbooks (.xlsx) from the XML of their parts, in the forms in which different programs write them. */

/** An archive of files. */
export async function zipped(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), path);
  zip.end();
  return buffer(zip.outputStream);
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export type SheetParts = {
  /** By name, the content of each sheet's document; what stands in `sheetData` alone is enough. */
  sheets: Readonly<Record<string, string>>;
  /** Sheets that are hidden. */
  hidden?: readonly string[];
  /** The content of the list of texts. */
  strings?: string;
  /** Codes of formats; the cells' style 1 has the first, and so on. Style 0 has none. */
  formats?: readonly (string | number)[];
  is1904?: boolean;
  /** More files, or others in place of these. */
  files?: Readonly<Record<string, string | Buffer>>;
};

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
const relations = (content: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;

function stylesOf(formats: readonly (string | number)[]): string {
  const ids = formats.map((format, at) => (typeof format === 'number' ? format : 164 + at));
  const own = formats
    .map((format, at) =>
      typeof format === 'string'
        ? `<numFmt numFmtId="${ids[at]}" formatCode="${format.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"/>`
        : '',
    )
    .join('');
  const xfs = [0, ...ids].map((id) => `<xf numFmtId="${id}"/>`).join('');
  return `<styleSheet xmlns="${MAIN}"><numFmts>${own}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs}</cellXfs></styleSheet>`;
}

/** A workbook. */
export function workbookFile({
  sheets,
  hidden = [],
  strings,
  formats = [],
  is1904 = false,
  files = {},
}: SheetParts): Promise<Buffer> {
  const names = Object.keys(sheets);
  const list = names
    .map(
      (name, at) =>
        `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
    )
    .join('');
  const parts = names.map((name, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    sheets[name]!.includes('<sheetData') || sheets[name]!.startsWith('<?xml')
      ? sheets[name]!
      : `<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
  ]);
  return zipped({
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${list}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      [
        ...names.map((_name, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
        relation('rId901', 'styles', 'styles.xml'),
        ...(strings === undefined ? [] : [relation('rId902', 'sharedStrings', '/xl/sharedStrings.xml')]),
      ].join(''),
    ),
    'xl/styles.xml': stylesOf(formats),
    ...(strings !== undefined && { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>` }),
    ...Object.fromEntries(parts),
    ...files,
  });
}

/** A row of texts, as programs write it that have no list of texts. */
export const textRow = (number: number, texts: readonly string[]): string =>
  `<row r="${number}">${texts
    .map(
      (text, at) =>
        `<c r="${String.fromCharCode(65 + at)}${number}" t="inlineStr"><is><t>${text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')}</t></is></c>`,
    )
    .join('')}</row>`;
