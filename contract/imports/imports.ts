import { z } from 'zod';
import { type RowError, rowError } from '../base/errors.ts';
import { IMPORT_KINDS } from './import-fields.ts';

/** Imports of clients, software and licences from a spreadsheet saved as CSV (IMPORT-01, IMPORT-02). */

/** The largest file, in bytes. */
export const IMPORT_BYTES_MAX = 20 * 1024 * 1024;
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
  notText: 'No es un archivo CSV. En tu hoja de cálculo usa Archivo › Guardar como › CSV UTF-8.',
  mediaType: 'Envía el archivo como text/csv',
  unknownColumn: (column: string) => `El archivo no tiene la columna «${column}»`,
  unknownField: (field: string) => `No existe el campo «${field}»`,
  fieldTwice: (label: string) => `Dos columnas dan el campo «${label}». Elige una.`,
  noField: (labels: string) => `Falta indicar la columna de: ${labels}`,
  notChecked: 'Revisa el archivo antes de importarlo',
  /** The key of the row already occurs in an earlier row of the file. */
  repeated: (row: number) => `Ya está en la fila ${row} del archivo`,
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
  usedSince: 'Otras licencias ya lo usan',
  missingSince: 'Lo que tenía antes ya no existe',
  takenSince: 'Otro registro ya usa el valor anterior',
} as const;

/** The query of the upload. */
export const importQuery = z.object({ kind: z.enum(IMPORT_KINDS, IMPORT_MESSAGES.kind) });

export const importCheck = z
  .object({
    /**
     * For each column name, the field that it fills. Columns with null and columns not listed are ignored. Default:
     * the mapping that the upload suggested (D138).
     */
    mapping: z.record(z.string().max(200), z.string().max(50).nullable()).optional(),
    mode: z.enum(IMPORT_MODES, IMPORT_MESSAGES.mode),
  })
  .meta({ examples: [{ mapping: { Nombre: 'name', Email: 'email', Teléfono: 'phone' }, mode: 'create' }] });

export const importRun = z.object({
  /** True sends each new licence to its client by mail; false sends nothing. */
  notify: z.boolean().default(false),
});

export type ImportError = RowError;

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

/** The result of a check: what the run will do. */
export const importForecast = z
  .object({ to_create: z.number().int(), to_update: z.number().int(), ...findings, ...notStored })
  .meta({ id: 'ImportForecast' });
export type ImportForecast = z.infer<typeof importForecast>;

/** The result of a run, so far or at its end; once it is undone, of what stayed, with the reasons as errors. */
const importResult = z
  .object({ created: z.number().int(), updated: z.number().int(), ...notStored })
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
    /** Warnings from reading the file: repeated headers, headers that are not in the first line, missing cells. */
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ImportUpload' });
export type ImportUpload = z.infer<typeof importUpload>;

export const importProgress = z
  .object({
    ...importUpload.shape,
    state: z.enum(IMPORT_STATES),
    mode: z.enum(IMPORT_MODES).nullable(),
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
 * POST imports/?kind=clients       the file as text/csv → 201 importUpload
 * POST imports/{id}/check/         importCheck → 200 importForecast, or 202 importProgress for a large file
 * POST imports/{id}/run/           importRun → 202 importProgress
 * GET  imports/{id}/               importProgress
 * POST imports/{id}/cancel/        → 200 importProgress; what is done stays
 * POST imports/{id}/undo/          → 202 importProgress; 409 not_undoable with the first `rows` that prevent it
 * GET  imports/{id}/errors/        CSV: Fila, Campo, Error, and the columns of the file
 */
