import type { CellType, FileColumn, InWords } from '../base/file-columns.ts';
import { writtenTags } from '../reading/tags.ts';
import { words } from './import-words.ts';

/**
 * The columns of a kind's CSV files: how an export writes them, and how an import recognises and reads them
 * (IMPORT-01).
 */

/** How the text of a cell is parsed. */
export type CellForm =
  | 'line'
  | 'paragraph'
  | 'phone'
  | 'phone_text'
  | 'country'
  | 'amount'
  | 'percent'
  | 'count'
  | 'day'
  | 'flag'
  | 'choice'
  | 'features'
  | 'meters'
  | 'contacts'
  | 'tags';

/** A record's field that a column of the file can fill. */
export type ImportField = {
  /** The field's name in `mapping` and in `errors`. */
  name: string;
  label: string;
  form: CellForm;
  /** A new record must have this field. */
  required?: true;
  /** A form asks for this field, but a row of an import may lack it; a check counts those rows (INPUT-20). */
  expected?: true;
  /** An import finds existing records by this field, together with the other key fields. */
  key?: true;
  /** A hint beside the label about the expected values. */
  hint?: string;
  /** Headers that mean this field, in Spanish and English, the most certain first, in the form of headerKey(). */
  aliases: readonly string[];
  /** Headers that mean this field where no other column does, the most certain first. */
  weakAliases?: readonly string[];
  /** Words in a cell that clear the field, as '-' does, in the form of headerKey(). */
  none?: readonly string[];
  /** A count without a limit is stored as this number: a cell with 0 or one of the words for it (INPUT-20). */
  unlimited?: number;
  /** The text is compared sign by sign, so what a spreadsheet did to it is an error (INPUT-03). */
  exact?: true;
  /** The values of a choice, each with the words that mean it in a file. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** Headers whose cells say Sí or No, in the form of headerKey(), each with the choices that these mean. */
  flags?: Readonly<Record<string, FlagMeaning>>;
  /** Whether a column of another program could hold this field, by one of its cells. */
  couldHold?: (cell: string) => boolean;
};

/** The choices of a column that says Sí or No. Without `no`, a No says nothing: a licence not suspended may be expired. */
export type FlagMeaning = { yes: string; no?: string };

type FileCell = string | number | boolean | null;
type Value<Row> = (row: Row) => FileCell;
/** The names of a record's fields whose values can be written to a cell unchanged. */
type CellOf<Row> = { [Name in keyof Row]: Row[Name] extends FileCell ? Name : never }[keyof Row] & string;

/**
 * A column that an import accepts. An export writes the record's field of the same name, or the result of `value`. With
 * `value: null` no export has this column.
 */
type Importable<Row> = ImportField & {
  value?: Value<Row> | null;
  /** The column's header in an export, if it differs from the label. */
  header?: string;
  /** What an export's cells hold, if it does not follow from `form`. */
  type?: CellType;
  /** The currency of an amount. */
  currency?: (row: Row) => string;
  /** What an export in words writes (INPUT-15). */
  words?: InWords<Row>;
  /** What its cells hold then, if it differs. */
  wordsType?: CellType;
};
/** A column that only exports have, computed from other data; with `onlyInWords` only exports in words. */
type ExportOnly<Row> = {
  name: string;
  label: string;
  type: CellType;
  computed: Value<Row>;
  words?: InWords<Row>;
  onlyInWords?: true;
};
export type FileField<Row> = Importable<Row> | ExportOnly<Row>;

/** A column as a kind's file describes it. Its name, and where it has no label of its own that of the field, are added. */
type ImportableColumn<Row> = Omit<Importable<Row>, 'name' | 'label'> & { label?: string };
type ExportOnlyColumn<Row> = Omit<ExportOnly<Row>, 'name' | 'label'> & { label?: string };

/**
 * The columns of a kind's files by name, in the order in which the import offers them. A missing one does not compile,
 * nor one without `value` where the record has no such field that fits a cell.
 */
export type FileColumns<Row, Names extends string> = {
  readonly [Name in Names]:
    | ExportOnlyColumn<Row>
    | (ImportableColumn<Row> & (Name extends CellOf<Row> ? unknown : { value: Value<Row> | null }));
};

/** @param labels what each field is called */
export const fileOf = <Row>(
  labels: Readonly<Record<string, string>>,
  columns: Readonly<Record<string, ImportableColumn<Row> | ExportOnlyColumn<Row>>>,
): FileField<Row>[] =>
  Object.entries(columns).map(([name, column]) => ({ name, label: labels[name] ?? name, ...column }));

export const importedOf = <Row>(fields: readonly FileField<Row>[]): ImportField[] =>
  fields.filter((field): field is Importable<Row> => !('computed' in field));

/** What an export's cells hold, by the form of an import's. */
const TYPES: Partial<Record<CellForm, CellType>> = {
  amount: 'money',
  percent: 'percent',
  count: 'count',
  day: 'day',
};

/**
 * The columns of an export.
 * @param placed names of columns that must keep their position, because users' spreadsheets rely on it; the others
 * follow
 */
export function columnsOf<Row>(
  fields: readonly FileField<Row>[],
  placed: string,
): (FileColumn<Row> & { name: string })[] {
  const names = placed.trim().split(/\s+/);
  const placeOf = ({ name }: { name: string }) => (names.includes(name) ? names.indexOf(name) : names.length);
  return fields
    .filter((field) => 'computed' in field || field.value !== null)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((field) => {
      const own = 'computed' in field ? field.computed : field.value;
      return {
        name: field.name,
        header: 'computed' in field ? field.label : (field.header ?? field.label),
        type: field.type ?? ('form' in field ? TYPES[field.form] : undefined) ?? 'text',
        currency: 'computed' in field ? undefined : field.currency,
        words: field.words,
        wordsType: 'computed' in field ? undefined : field.wordsType,
        onlyInWords: 'computed' in field ? field.onlyInWords : undefined,
        // Without `value`, the type FileColumns guarantees that `name` is a field of the row that fits a cell.
        value: own ?? ((row: Row) => row[field.name as keyof Row] as FileCell),
      };
    });
}

/** The hint of a column with a flag. */
export const YES_OR_NO = 'Sí o No.';

/** The tags of a record in one cell, as its own column (DESK-03). */
export const TAGS_COLUMN = {
  form: 'tags',
  hint: 'Separadas por punto y coma: VIP;Norte.',
  value: ({ tags }: { tags: readonly string[] }) => writtenTags(tags),
  aliases: words('etiquetas, etiqueta, tags, tag'),
} as const;

/** The record's id in another system of the vendor, which clients and licences have. */
export const EXTERNAL_ID_COLUMN = {
  header: 'Identificador Externo',
  form: 'line',
  hint: 'El código en otro sistema. No se repite.',
  aliases: words(`
    identificador externo, id externo, codigo externo, clave externa, referencia externa, external id,
    external reference`),
} as const;
