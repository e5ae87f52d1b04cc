/** Columns as data: the type of a table's rows and the lists of its columns follow from one declaration. */

type Column<Type, Answered extends boolean = boolean> = {
  answered: Answered;
  isFlag: boolean;
  /** For the compiler alone. */
  type?: Type;
};
type Columns = Readonly<Record<string, Column<unknown>>>;

/** A column that an answer has as it is stored, or converted. */
export const column = <Type>(): Column<Type, true> => ({ answered: true, isFlag: false });

/** The same with true or false: SQLite stores a number. */
export const flag = <Type = boolean>(): Column<Type, true> => ({ answered: true, isFlag: true });

/** A column that no answer has: for search, order, uniqueness and rules. */
export const inner = <Type>(): Column<Type, false> => ({ answered: false, isFlag: false });

/** The table as Kysely knows it. */
export type TableOf<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<infer Type> ? Type : never;
};

type Answered<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<unknown, true> ? Name : never;
}[keyof Table];

const namesWhere = (table: Columns, is: (one: Column<unknown>) => boolean) =>
  Object.keys(table).filter((name) => is(table[name]!));

/** The columns in an answer, in their order in the table. */
export const answeredColumns = <Table extends Columns>(table: Table) =>
  // The type names exactly those whose `answered` is true.
  namesWhere(table, ({ answered }) => answered) as (Answered<Table> & string)[];

/** The columns of tables that hold true or false. */
export const flagsOf = (...tables: Columns[]): string[] =>
  tables.flatMap((table) => namesWhere(table, ({ isFlag }) => isFlag));
