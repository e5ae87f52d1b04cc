/** The codes of field errors (API-04). Without schemas, so that forms of the console do not load zod for them. */

/** The complete list of field error codes for programs, each with its meaning. */
export const FIELD_ERROR_CODES = {
  required: 'falta el valor, o está vacío',
  invalid: 'el tipo, la forma o el valor no es de los admitidos',
  too_long: 'el texto o la lista es demasiado largo',
  too_short: 'el texto o la lista es demasiado corto',
  out_of_range: 'el número, la fecha o la medida queda fuera de sus límites',
  taken: 'otro registro ya lo tiene',
  unknown_reference: 'no existe lo que nombra',
  not_allowed: 'está bien escrito, pero una regla no lo permite aquí',
  spreadsheet_damage:
    'una hoja de cálculo cambió el valor de la celda, y no se puede reconstruir (solo en importaciones)',
  unknown_field: 'la llamada no tiene este campo o parámetro',
} as const;

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES;

/** One error of a field: its code for programs, its text for people. */
export type FieldFault = { code: FieldErrorCode; message: string };

/** The errors of an input, by field. */
export type FieldFaults = Record<string, FieldFault[]>;

/**
 * The message and code of a schema's own rule (`refine`). A rule without a code gets `invalid`; violated types,
 * lengths and limits get the code of their kind (server/http/validation.ts).
 */
export const coded = (code: FieldErrorCode, message: string) => ({ message, params: { code } });
