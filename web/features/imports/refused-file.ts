/**
 * Why a file cannot be imported, as far as its name, size and first bytes show. The server checks the rest. Spreadsheets
 * of other formats than .xlsx have a message that says how to save them (IMPORT-03, INPUT-06).
 */
export type FileRefusal = 'empty' | 'too_large' | 'spreadsheet' | 'not_text';

/** The number of first bytes that `refusalOf` needs. */
export const HEAD_BYTES = 4096;

const OTHER_SPREADSHEET = /\.(xls|xlsb|ods|numbers|gsheet)$/i;

/** A workbook of Excel is a ZIP file, one of its old format an OLE file. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/**
 * @param file its name and its size in bytes
 * @param head its first bytes, up to `HEAD_BYTES`
 * @param bytesMax the largest size that the server accepts
 * @returns null if it may be a workbook or a CSV file
 */
export function refusalOf(
  { name, size }: { name: string; size: number },
  head: Uint8Array,
  bytesMax: number,
): FileRefusal | null {
  if (OTHER_SPREADSHEET.test(name) || beginsWith(head, OLE)) return 'spreadsheet';
  if (size === 0) return 'empty';
  if (size > bytesMax) return 'too_large';
  if (beginsWith(head, ZIP) || UTF_16.some((mark) => beginsWith(head, mark))) return null;
  // Other texts have no zero byte.
  return head.includes(0) ? 'not_text' : null;
}

const beginsWith = (head: Uint8Array, mark: readonly number[]) =>
  mark.every((byte, place) => head[place] === byte);
