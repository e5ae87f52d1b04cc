/** Why a workbook cannot be read. */
export type WorkbookFault =
  /** An archive of something else; the first three are spreadsheets that Excel can save as .xlsx. */
  | { kind: 'ods' | 'xlsb' | 'encrypted' | 'other' }
  /** It does not follow the format, or not as any spreadsheet writes it. */
  | { kind: 'broken' }
  /** It needs more memory or time after unpacking than is given to one file. */
  | { kind: 'too-large' }
  | { kind: 'no-sheet'; sheets: string[] }
  | { kind: 'long-cell' | 'many-cells'; record: number };

export class UnreadableWorkbook extends Error {
  override name = 'UnreadableWorkbook';
  readonly fault: WorkbookFault;

  constructor(fault: WorkbookFault, cause?: unknown) {
    super(fault.kind, { cause });
    this.fault = fault;
  }
}

export const brokenWorkbook = (cause?: unknown) => new UnreadableWorkbook({ kind: 'broken' }, cause);
export const tooLarge = () => new UnreadableWorkbook({ kind: 'too-large' });
