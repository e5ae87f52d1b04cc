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
  | 'amount'
  | 'percent'
  | 'count'
  | 'day'
  | 'flag'
  | 'choice'
  | 'features'
  | 'meters';

/** A record's field that a column of the file can fill. */
export type ImportField = {
  /** The field's name in `mapping` and in `errors`. */
  name: string;
  label: string;
  form: CellForm;
  /** A new record must have this field. */
  required?: true;
  /** An import finds existing records by this field, together with the other key fields. */
  key?: true;
  /** A hint beside the label about the expected values. */
  hint?: string;
  /** Headers that mean this field, in Spanish and English, the most certain first, in the form of headerKey(). */
  aliases: readonly string[];
  /** A word in a cell that clears the field, as '-' does. */
  none?: string;
  /** The values of a choice, each with the words that mean it in a file. */
  choices?: Readonly<Record<string, readonly string[]>>;
};

type FileCell = string | number | boolean | null;
type Value<Row> = (row: Row) => FileCell;
/** The names of a record's fields whose values can be written to a cell unchanged. */
type CellOf<Row> = { [Name in keyof Row]: Row[Name] extends FileCell ? Name : never }[keyof Row] & string;

/**
 * A field that an import accepts. An export writes the record's field of the same name, or the result of `value`. With
 * `value: null` no export has this column.
 */
type Importable<Row> = ImportField &
  ({ name: CellOf<Row>; value?: undefined } | { value: Value<Row> | null }) & {
    /** The column's header in an export, if it differs from the label. */
    header?: string;
  };
/** A column that only exports have, computed from other data. */
type ExportOnly<Row> = { name: string; label: string; computed: Value<Row> };
export type FileField<Row> = Importable<Row> | ExportOnly<Row>;

export const importedOf = <Row>(fields: readonly FileField<Row>[]): ImportField[] =>
  fields.filter((field): field is Importable<Row> => !('computed' in field));

/**
 * The columns of an export.
 * @param placed names of columns that must keep their position, because users' spreadsheets rely on it; the others
 * follow
 */
export function columnsOf<Row>(fields: readonly FileField<Row>[], placed: string) {
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
        // Without `value`, the type Importable guarantees that `name` is a field of the row that fits a cell.
        value: own ?? ((row: Row) => row[field.name as keyof Row] as FileCell),
      };
    });
}
