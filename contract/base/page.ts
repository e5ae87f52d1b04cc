import { z } from 'zod';
import { coded } from './field-errors.ts';
import { EXPORT_VALUES, FILE_TYPES, type FileKind } from './file-columns.ts';
import { BULK_IDS_MAX, VALIDITY_DAYS_MAX } from './limits.ts';
import { currencyCode, recordId, writtenNumber } from './numbers.ts';
import { instantForm, isCalendarDay } from './text.ts';
import { searchedText } from './typed-key.ts';

/**
 * The query of every list. `page` and `page_size` stay text here because they cause no validation error: a malformed
 * page is a 404, and a page_size out of range is clamped (D045).
 */
export const listQuery = z.object({
  page: z
    .string()
    .optional()
    .meta({ examples: ['1'] }),
  page_size: z
    .string()
    .optional()
    .meta({ examples: ['5'] }),
  search: searchedText.optional(),
  ordering: z.string().max(50).optional(),
  /** The text in `next` that says after which row the page begins (INPUT-16). */
  after: z.string().optional().meta({
    description:
      'Lo que trae next: la página sigue a esa fila; page solo la numera / What next carries: the page follows that row; page only numbers it',
  }),
});

/** A boolean in a query: true/false, also as 1/0 and True/False. */
export const queryFlag = z
  .enum(['true', 'false', 'True', 'False', '1', '0'])
  .transform((text) => text === 'true' || text === 'True' || text === '1');

/** One page of a list: the rows, and what the pagination control needs. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    count: z.number().int().meta({
      description: 'Cuántos registros coinciden, en todas las páginas / How many records match, on all pages',
    }),
    count_is_exact: z.boolean().meta({
      description:
        'false en una búsqueda con más de 1000 coincidencias, y con filtros para los que habría que leer más de 50,000 registros: entonces count es 1000; también con un filtro de fechas o valores que cumplen más de 100,000: entonces count es 100000. next sigue mientras haya registros / false for a search with more than 1000 matches, and for filters for which more than 50,000 records would be read: then count is 1000; also for a filter by dates or values that more than 100,000 records match: then count is 100000. next goes on as long as there are records',
    }),
    total_pages: z.number().int(),
    current_page: z.number().int(),
    page_size: z.number().int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(row),
  });

/** The sums over all rows that match, one for each currency; null while `count` is not exact (MONEY-13). */
export const summed = <Sum extends z.ZodType>(sum: Sum) =>
  z.array(sum).nullable().meta({
    description:
      'Sumas de todo lo que coincide, por moneda; null mientras count no es exacto / Sums of all that matches, by currency; null while count is not exact',
  });

export type Page<Row> = {
  count: number;
  count_is_exact: boolean;
  total_pages: number;
  current_page: number;
  page_size: number;
  next: string | null;
  previous: string | null;
  results: Row[];
};

/** Path parameters of one record; the route pattern accepts digits only. */
export const idParams = z.object({ id: writtenNumber(z.int()) });

export const bulkIds = z
  .array(recordId)
  .min(1, 'Indica al menos un id')
  .max(BULK_IDS_MAX, `Indica como máximo ${BULK_IDS_MAX} ids`);

/**
 * The body of a bulk change: the records' ids, and at least one of the given fields. All records get the same values.
 * Any other key is refused (D112).
 */
export const bulkUpdateOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({
    ids: bulkIds,
    updates: z
      .strictObject(fields)
      .partial()
      .refine((updates) => Object.keys(updates).length > 0, coded('required', 'Indica al menos un campo')),
  });

/** A range of local days in a query, both included: `2026-01-01..2026-01-31`. */
const dayRange = z
  .string()
  .refine((text) => {
    const [from, to, ...rest] = text.split('..');
    return rest.length === 0 && isCalendarDay(from ?? '') && isCalendarDay(to ?? '') && to! < '9999';
  }, 'Indica los días como AAAA-MM-DD..AAAA-MM-DD')
  .meta({ examples: ['2026-01-01..2026-01-31'] });

/**
 * Filters that list the licences behind a figure of the reports (contract/figures/reports.ts). Each takes local days.
 */
export const figureFilters = {
  currency: currencyCode.optional(),
  issued: dayRange.optional(),
  /** Licences with a term sold on these days, except cancelled licences. */
  sold: dayRange.optional(),
  /** Licences that stopped being active on these days. */
  lost: dayRange.optional(),
  trial_begun: dayRange.optional(),
  trial_converted: dayRange.optional(),
  trial_lost: dayRange.optional(),
};

export const queryDays = writtenNumber(z.int().min(1).max(VALIDITY_DAYS_MAX));

/**
 * Records created or changed at or after an instant (API-01), converted to UTC as in the database. A '+' that the
 * caller did not encode arrives as a space and is restored.
 */
export const updatedSince = z
  .string()
  .transform((text) => text.trim().replace(/ (?=\d\d:?\d\d$)/, '+'))
  .refine(
    (text) => instantForm.safeParse(text).success && /^(19|[2-9]\d)/.test(text) && !text.startsWith('9999'),
    {
      error: 'Indica un instante con su zona, como 2026-01-31T12:00:00Z',
    },
  )
  .transform((text) => new Date(text).toISOString())
  .meta({ examples: ['2026-01-31T12:00:00Z'] });

const FILE_KINDS = Object.keys(FILE_TYPES) as [FileKind, ...FileKind[]];

/** In which form an export is answered: without `file` as CSV (INPUT-06), without `values` in codes (INPUT-15). */
export const exportForm = {
  file: z
    .enum(FILE_KINDS, `Elige ${FILE_KINDS.join(' o ')}`)
    .optional()
    .meta({
      description: 'csv, o xlsx para un libro de Excel / csv, or xlsx for a workbook',
      examples: ['xlsx'],
    }),
  values: z.enum(EXPORT_VALUES, 'Elige words, o no lo envíes').optional().meta({
    description:
      "Con words, los días, horas locales y palabras de la consola; sin él, códigos e instantes en UTC / With words, the console's days, local times and words; without it codes and instants in UTC",
  }),
};

/** The records of an export: with `ids=1,2` only these, and the filters are ignored (LIST-01). */
export const exportIds = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'Indica los ids separados por comas')
  .transform((text) => text.split(',').map(Number))
  .pipe(bulkIds)
  .meta({ examples: ['1,2'] });

export const bulkResult = z
  .object({ success: z.literal(true), updated: z.number().int(), not_found: z.array(z.number().int()) })
  .meta({ id: 'BulkResult' });
