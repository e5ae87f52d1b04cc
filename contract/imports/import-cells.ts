/** The columns of a kind's files: what an export writes, and how an import recognises and reads it (IMPORT-01). */

/** How the text of a cell is read. */
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

/** A field that a column can be mapped to. */
export type ImportField = {
  /** Its name in `mapping` and in `errors`. */
  name: string;
  label: string;
  form: CellForm;
  /** A new record cannot do without it. */
  required?: true;
  /** The records of the file are found by it, together with the other key fields. */
  key?: true;
  /** Said beside the label: what the field expects. */
  hint?: string;
  /** Headers that mean this field, in Spanish and English, the surest first; as headerKey writes them. */
  aliases: readonly string[];
  /** A word that clears the field, as '-' does. */
  none?: string;
  /** The words of a choice: its values, each with what people write for it. */
  choices?: Readonly<Record<string, readonly string[]>>;
};

type FileCell = string | number | boolean | null;
type Value<Row> = (row: Row) => FileCell;
/** The fields of a record that a cell can hold as they are. */
type CellOf<Row> = { [Name in keyof Row]: Row[Name] extends FileCell ? Name : never }[keyof Row] & string;

/** What an import takes. Its cell in an export is the record's field of this name, or `value`; null: no export has it. */
type Importable<Row> = ImportField &
  ({ name: CellOf<Row>; value?: undefined } | { value: Value<Row> | null }) & {
    /** Its header in an export, where that is not its label. */
    header?: string;
  };
/** What no import takes: the cell is made of other data. */
type ExportOnly<Row> = { name: string; label: string; computed: Value<Row> };
export type FileField<Row> = Importable<Row> | ExportOnly<Row>;

export const importedOf = <Row>(fields: readonly FileField<Row>[]): ImportField[] =>
  fields.filter((field): field is Importable<Row> => !('computed' in field));

/**
 * The columns of an export.
 * @param placed names of columns that keep their places, because spreadsheets rely on them; the others follow
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
        // A field without a value is named as one of the row that a cell can hold.
        value: own ?? ((row: Row) => row[field.name as keyof Row] as FileCell),
      };
    });
}
