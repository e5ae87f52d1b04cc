/**
 * Why a file cannot be imported, as far as its name, size and first bytes show. The server checks the rest. People
 * often choose the spreadsheet itself by mistake, so it has a separate message (IMPORT-03).
 */
export type FileRefusal = 'empty' | 'too_large' | 'spreadsheet' | 'unicode_text' | 'not_text';

/** The number of first bytes that `refusalOf` needs. */
export const HEAD_BYTES = 4096;

const SPREADSHEET_NAME = /\.(xlsx?|xlsm|xlsb|ods|numbers|gsheet)$/i;

/** The formats of spreadsheets are ZIP files (xlsx, ods, numbers) or OLE files (xls). */
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
 * @returns null if it may be a CSV file
 */
export function refusalOf(
  { name, size }: { name: string; size: number },
  head: Uint8Array,
  bytesMax: number,
): FileRefusal | null {
  if (SPREADSHEET_NAME.test(name) || beginsWith(head, ZIP) || beginsWith(head, OLE)) return 'spreadsheet';
  if (size === 0) return 'empty';
  if (size > bytesMax) return 'too_large';
  if (UTF_16.some((mark) => beginsWith(head, mark))) return 'unicode_text';
  // A text file has no zero byte, neither in UTF-8 nor in Windows-1252.
  return head.includes(0) ? 'not_text' : null;
}

const beginsWith = (head: Uint8Array, mark: readonly number[]) =>
  mark.every((byte, place) => head[place] === byte);
