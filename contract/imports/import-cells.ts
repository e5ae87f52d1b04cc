/** A field of an import: how its column is recognised, and how its cells are read (IMPORT-01). */

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
  | 'features';

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
