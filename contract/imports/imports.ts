import { z } from 'zod';
import { type RowError, rowError } from '../base/errors.ts';
import { FILE_TYPES } from '../base/file-columns.ts';
import { CHOSEN_ORDERS, DAY_ORDERS } from '../reading/days.ts';
import { IMPORT_KINDS } from './import-fields.ts';

/** Imports of clients, software and licences from a spreadsheet: .xlsx or CSV (IMPORT-01, IMPORT-02, INPUT-06). */

/** The media type of a workbook. */
export const XLSX_TYPE = FILE_TYPES.xlsx;
/** The media types of an upload. The bytes decide: a workbook sent as text/csv is read as a workbook. */
export const IMPORT_TYPES = [FILE_TYPES.csv, XLSX_TYPE] as const;

/** The encodings in which a CSV file can be read (INPUT-04). */
const ENCODINGS = ['UTF-8', 'UTF-16', 'Windows-1252', 'Mac Roman', 'CP850'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The largest file, in bytes. */
export const IMPORT_BYTES_MAX = 20 * 1024 * 1024;
/** The most bytes of a workbook after unpacking. */
export const IMPORT_UNPACKED_MAX = 200 * 1024 * 1024;
/** The most rows below the headers. */
export const IMPORT_ROWS_MAX = 100_000;
/** The most columns. */
export const IMPORT_COLUMNS_MAX = 100;
/** The most characters of a cell: twice the longest text that any field accepts. */
export const IMPORT_CELL_MAX = 10_000;
/** The number of rows at the start of a file by which its mapping is suggested. */
export const IMPORT_SAMPLE_ROWS = 5;
/** A file with at most this many rows is checked within the request; a larger one is checked by a job. */
export const IMPORT_ROWS_AT_ONCE = 200;
/** The most errors in an answer. The CSV of errors has all of them. */
export const IMPORT_ERRORS_SHOWN = 100;
/** How many hours after its end an import can be undone (INPUT-07). */
export const IMPORT_UNDO_HOURS = 24;
/** The most rows of which cells can be corrected without a new file. */
export const IMPORT_CELLS_CORRECTED = 500;
/** How many days the uploaded rows and the errors of an import are stored. */
export const IMPORT_KEPT_DAYS = 7;

/** 'create' refuses rows of existing records, 'update' refuses rows of new ones, 'upsert' accepts both. */
export const IMPORT_MODES = ['create', 'update', 'upsert'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/**
 * The states of an import, in order: uploaded, checking (by a job), checked, waiting (for the run to begin), running;
 * then one of the final states done, cancelled, failed. A cancelled check returns to 'uploaded'. While an ended import is
 * undone it is waiting and running again (`undo_asked_at` is set), then undone.
 */
const IMPORT_STATES = [
  'uploaded',
  'checking',
  'checked',
  'waiting',
  'running',
  'done',
  'cancelled',
  'failed',
  'undone',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** True while a job works on the import, so the console must query its state again. */
export const isImportBusy = (state: ImportState): boolean =>
  state === 'checking' || state === 'waiting' || state === 'running';

export const IMPORT_MESSAGES = {
  notFound: 'Importación no encontrada',
  kind: 'Indica qué contiene el archivo: clients, software o licenses',
  mode: 'Elige si se crean, se actualizan, o ambas cosas',
  empty: 'El archivo no tiene filas debajo de los encabezados',
  tooLarge: 'El archivo es demasiado grande. El máximo son 20 MB.',
  tooManyRows: 'El archivo tiene más de 100 000 filas. Divídelo en varios.',
  tooManyCells: (row: number) => `La fila ${row} tiene más de ${IMPORT_COLUMNS_MAX} columnas`,
  longCell: (row: number) => `La fila ${row} tiene una celda de más de 10 000 caracteres`,
  tooSlow: 'El archivo tardó demasiado en llegar. Revisa tu conexión e intenta de nuevo.',
  notText: 'No es un archivo de Excel (.xlsx) ni CSV. En tu hoja de cálculo usa Archivo › Guardar como.',
  oldExcel:
    'Es un archivo de Excel antiguo (.xls) o protegido con contraseña. Quita la contraseña y guárdalo como .xlsx.',
  openDocument: 'Es un archivo de LibreOffice (.ods). Guárdalo como .xlsx: Archivo › Guardar como.',
  binaryWorkbook: 'Es un archivo de Excel binario (.xlsb). Guárdalo como .xlsx: Archivo › Guardar como.',
  encrypted: 'El archivo está protegido con contraseña. Quítala en Excel y guárdalo de nuevo.',
  brokenWorkbook: 'El archivo de Excel está dañado y no puede leerse. Ábrelo en Excel y guárdalo de nuevo.',
  unpackedTooLarge:
    'El archivo de Excel ocupa demasiado al abrirlo; el máximo son 200 MB. Divídelo en varios o guárdalo como CSV.',
  hiddenRows: (count: number) =>
    count === 1
      ? 'La hoja tiene una fila oculta, que también se importa.'
      : `La hoja tiene ${count} filas ocultas, que también se importan.`,
  mergedCells:
    'La hoja tiene celdas combinadas: su valor está solo en la primera, y las otras se leen como vacías.',
  uncomputed: (count: number, first: number) =>
    `Hay fórmulas sin resultado guardado (${count === 1 ? `fila ${first}` : `${count} filas, la primera es la ${first}`}), que se leen como celdas vacías. Ábrelo en Excel y guárdalo de nuevo.`,
  noSheets: 'Un archivo CSV no tiene hojas',
  noSheet: (sheets: readonly string[]) => `No existe esa hoja. El archivo tiene: ${sheets.join(', ')}`,
  notReadAs: (encoding: string) => `Este archivo no puede leerse como ${encoding}`,
  /** Text that no encoding makes whole: the first rows, and one of the words as it is. */
  broken: (rows: readonly number[], count: number, word: string) =>
    `${count === 1 ? 'La fila' : 'Las filas'} ${rows.join(', ')}${count > rows.length ? ` y ${count - rows.length} más` : ''} ${count === 1 ? 'tiene' : 'tienen'} letras dañadas, como «${word}». Se guardan así si no las corriges.`,
  mediaType: `Envía el archivo como text/csv o ${XLSX_TYPE}`,
  unknownColumn: (column: string) => `El archivo no tiene la columna «${column}»`,
  unknownField: (field: string) => `No existe el campo «${field}»`,
  fieldTwice: (label: string) => `Dos columnas dan el campo «${label}». Elige una.`,
  noField: (labels: string) => `Falta indicar la columna de: ${labels}`,
  valueAndColumn: (label: string) => `El campo «${label}» ya tiene una columna: quita su valor único`,
  unreadableValue: (label: string, message: string) => `${label}: ${message}`,
  notChecked: 'Revisa el archivo antes de importarlo',
  /** The key of the row already occurs in an earlier row of the file. */
  repeated: (row: number) => `Ya está en la fila ${row} del archivo`,
  unknownRow: (row: string) => `El archivo no tiene la fila ${row}`,
  noRow: 'El archivo no tiene esta fila',
  manyCells: `Se pueden corregir hasta ${IMPORT_CELLS_CORRECTED} filas. Corrige las demás en tu hoja y sube el archivo otra vez.`,
  extraCells:
    'La fila tiene más celdas que encabezados. Revisa que los textos con comas estén entre comillas.',
  quotes: (row: number) => `Unas comillas que empiezan en la fila ${row} no se cierran`,
  isBusy: 'Esta importación ya está en curso',
  isOver: 'Esta importación ya terminó',
  notOver: 'Esta importación todavía no termina',
  undoTooLate: `Una importación se puede deshacer durante ${IMPORT_UNDO_HOURS} horas después de terminar`,
  cannotUndo: (count: number) =>
    count === 1
      ? 'No se puede deshacer: un registro cambió o ya se usa'
      : `No se puede deshacer: ${count} registros cambiaron o ya se usan`,
  changedSince: 'Cambió después de la importación',
  goneSince: 'Se eliminó después de la importación',
  paidSince: 'Ya se pagó',
  seatSince: 'Ya se usa en un equipo',
  mailSince: 'Ya se le envió un correo',
  signedInSince: 'El cliente ya entró al portal',
  noteSince: 'Alguien escribió una nota después de la importación',
  usedSince: 'Otras licencias ya lo usan',
  missingSince: 'Lo que tenía antes ya no existe',
  takenSince: 'Otro registro ya usa el valor anterior',
} as const;

/** The query of the upload. */
export const importQuery = z.object({
  kind: z.enum(IMPORT_KINDS, IMPORT_MESSAGES.kind),
  /** The name of the sheet of a workbook. Default: the first one that has the headers of this kind. */
  sheet: z.string().max(100).optional(),
});

/** In which encoding the file is read; default: the one in use. Names of columns may be those of before (INPUT-04). */
const encodingChoice = z.enum(ENCODINGS).optional();

/** By the field of the kind, the text of a cell that every row has, where no column is mapped to it (INPUT-20). */
const valuesChoice = z.record(z.string().max(50), z.string().max(IMPORT_CELL_MAX)).optional();

/**
 * Licences only: makes clients that are missing from `client` and `client_name`, one for each address (INPUT-20).
 * Needs `clients:write`.
 */
const createClientsChoice = z.boolean().optional();

/**
 * Clients only: stores the number of the client's country where a phone was meant as one, and counts it in `fixed`
 * (INPUT-02). False stores what the cells say, with the plus. Default: true.
 */
const fixPhonesChoice = z.boolean().optional();

export const importCheck = z
  .object({
    /**
     * For each column name, the field that it fills. Columns with null and columns not listed are ignored. Default:
     * the mapping that the upload suggested (D138).
     */
    mapping: z.record(z.string().max(200), z.string().max(50).nullable()).optional(),
    mode: z.enum(IMPORT_MODES, IMPORT_MESSAGES.mode),
    /**
     * For columns of days, the order of day and month in which they are read. Without one it is found from all rows of
     * the column (INPUT-05).
     */
    date_orders: z.record(z.string().max(200), z.enum(CHOSEN_ORDERS)).optional(),
    values: valuesChoice,
    create_clients: createClientsChoice,
    fix_phones: fixPhonesChoice,
    encoding: encodingChoice,
    /**
     * Corrected cells, by the number of their row and the name of their column. They are kept, so that a later check and
     * the run read them too; the file itself stays as it was uploaded.
     */
    cells: z
      .record(z.string().regex(/^\d{1,7}$/), z.record(z.string().max(200), z.string().max(IMPORT_CELL_MAX)))
      .optional(),
  })
  .meta({ examples: [{ mapping: { Nombre: 'name', Email: 'email', Teléfono: 'phone' }, mode: 'create' }] });

/** What a caller of a check may send. */
export type ImportCheck = z.input<typeof importCheck>;

export const importRun = z.object({
  /** True sends each new licence to its client by mail; false sends nothing. */
  notify: z.boolean().default(false),
  /** Replaces those of the check. */
  values: valuesChoice,
  create_clients: createClientsChoice,
  fix_phones: fixPhonesChoice,
  encoding: encodingChoice,
});

export type ImportError = RowError;

/** A row of the file as it is read: its cells by the names of the columns. */
export const importRow = z
  .object({ row: z.number().int(), cells: z.record(z.string(), z.string()) })
  .meta({ id: 'ImportRow' });
export type ImportRowCells = z.infer<typeof importRow>;

const notStored = {
  unchanged: z.number().int(),
  /** The first errors; a row has one error for each wrong field. */
  errors: z.array(rowError),
  /** The number of rows with an error. The run skips them. */
  rows_with_errors: z.number().int(),
  /** The number of all errors. The CSV of errors has all of them. */
  errors_total: z.number().int(),
};

/** How many cells a finding has as samples. */
export const FINDING_SAMPLES = 5;

/**
 * Cells of one sort: how many, and the first of them. `text` is the cell as it is in the file, `value` what is stored
 * of it, null if nothing is.
 */
const finding = z
  .object({
    count: z.number().int(),
    samples: z.array(
      z.object({
        row: z.number().int(),
        field: z.string(),
        text: z.string(),
        value: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ImportFinding' });
export type ImportFinding = z.infer<typeof finding>;

/** What a check counts over all fields: each stands in its answer with `count` 0 if there is none. */
export const COUNTED_FINDINGS = ['grouped', 'suspicious', 'duplicates', 'email'] as const;
/** What a check counts for each field: only fields with at least one cell stand in its answer. */
export const FINDINGS_BY_FIELD = ['fixed', 'missing'] as const;
export type FindingSort = (typeof COUNTED_FINDINGS)[number] | (typeof FINDINGS_BY_FIELD)[number];

const findings = {
  /** Numbers with three digits behind one separator, read as thousands (INPUT-01). */
  grouped: finding,
  /** Cells that look as if a spreadsheet had changed them, stored as they are (INPUT-03). */
  suspicious: finding,
  /** Rows whose client may be one that exists already (INPUT-19). */
  duplicates: finding,
  /** Mail addresses with a probable typing error in their domain (INPUT-14). */
  email: finding,
  /** By field: cells of which something better is stored than what they hold (INPUT-02, INPUT-03). */
  fixed: z.record(z.string(), finding),
  /** By field: rows without a value that a form would ask for (INPUT-20). */
  missing: z.record(z.string(), finding),
};

const dateOrders = {
  /** By column of days, the order in which it is read (INPUT-05); none for those of `date_orders_mixed`. */
  date_orders: z.record(z.string(), z.enum(DAY_ORDERS)),
  /** The columns that are read with the day first because no row of them proves an order, and nobody chose one. */
  date_orders_assumed: z.array(z.string()),
  /**
   * The columns whose rows prove two orders. Their days in digits are errors until the caller chooses an order in
   * `date_orders`.
   */
  date_orders_mixed: z.array(z.string()),
};

/** The result of a check: what the run will do. */
export const importForecast = z
  .object({
    to_create: z.number().int(),
    to_update: z.number().int(),
    /** With `create_clients`, how many clients the run will make; otherwise 0. */
    new_clients: z.number().int(),
    ...dateOrders,
    ...findings,
    ...notStored,
  })
  .meta({ id: 'ImportForecast' });
export type ImportForecast = z.infer<typeof importForecast>;

/** The result of a run, so far or at its end; once it is undone, of what stayed, with the reasons as errors. */
const importResult = z
  .object({
    created: z.number().int(),
    updated: z.number().int(),
    /** How many clients were made for licences (`create_clients`). */
    new_clients: z.number().int(),
    ...notStored,
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.infer<typeof importResult>;

export const importUpload = z
  .object({
    id: z.number().int(),
    kind: z.enum(IMPORT_KINDS),
    /** The names of the columns, in order and unique: a second 'Email' is called 'Email (2)'. */
    columns: z.array(z.string()),
    /** The first rows, one text for each column. */
    sample: z.array(z.array(z.string())),
    /** The number of rows that are not blank. */
    rows: z.number().int(),
    /** The mapping that the headers suggest. */
    mapping: z.record(z.string(), z.string().nullable()),
    /**
     * Warnings from reading the file: repeated headers, headers that are not in the first line, missing cells, and
     * rows whose letters are broken in the encoding in use.
     */
    warnings: z.array(z.string()),
    /** The encoding in which the file is read; null for a workbook. */
    encoding: z.enum(ENCODINGS).nullable(),
    /**
     * The encodings to choose from, the likeliest first; empty if the text has no sign of a wrong one (INPUT-04).
     */
    encodings: z.array(
      z.object({
        encoding: z.enum(ENCODINGS),
        /** Some words of the file that differ, as they read in this encoding. */
        sample: z.string(),
        /** The names of the columns and the first rows in this encoding. */
        columns: z.array(z.string()),
        rows: z.array(z.array(z.string())),
      }),
    ),
    /** The names of the sheets of a workbook, in order, without hidden ones; empty for a CSV file. */
    sheets: z.array(z.string()),
    /** The sheet that is imported; null for a CSV file. */
    sheet: z.string().nullable(),
  })
  .meta({ id: 'ImportUpload' });
export type ImportUpload = z.infer<typeof importUpload>;

export const importProgress = z
  .object({
    ...importUpload.shape,
    state: z.enum(IMPORT_STATES),
    mode: z.enum(IMPORT_MODES).nullable(),
    /** The choices of the last check or run: the orders of days that the caller chose, and one value for all rows. */
    chosen: z.object({
      date_orders: z.record(z.string(), z.enum(CHOSEN_ORDERS)),
      values: z.record(z.string(), z.string()),
      create_clients: z.boolean(),
      fix_phones: z.boolean(),
    }),
    /** The number of rows, and how many of them the check or the run has processed. */
    total: z.number().int(),
    done: z.number().int(),
    /** The result of the last check; null before it. */
    check: importForecast.nullable(),
    /** The result of the run so far; null before it. */
    result: importResult.nullable(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
    /** Until when the run can be undone; null before its end, and once it is undone or wrote nothing. */
    undo_until: z.string().nullable(),
    /** When somebody asked to undo it; null before. */
    undo_asked_at: z.string().nullable(),
  })
  .meta({ id: 'Import' });
export type ImportProgress = z.infer<typeof importProgress>;

/*
 * The calls, under /licenses/api/:
 * POST imports/?kind=clients       the file (IMPORT_TYPES) → 201 importUpload; &sheet= of a workbook
 * POST imports/{id}/check/         importCheck → 200 importForecast, or 202 importProgress for a large file
 * POST imports/{id}/run/           importRun → 202 importProgress
 * GET  imports/{id}/               importProgress
 * POST imports/{id}/cancel/        → 200 importProgress; what is done stays
 * POST imports/{id}/undo/          → 202 importProgress; 409 not_undoable with the first `rows` that prevent it
 * GET  imports/{id}/rows/{row}/    importRow
 * GET  imports/{id}/errors/        CSV: Fila, Campo, Error, and the columns of the file
 */
