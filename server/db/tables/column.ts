/** Columns as data: one declaration gives the type of a table's rows and the lists of its columns. */

export type Column<Type, Answered extends boolean = boolean> = {
  answered: Answered;
  isFlag: boolean;
  /** Only for the compiler. */
  type?: Type;
};
type Columns = Readonly<Record<string, Column<unknown>>>;

/** A column that answers of the API contain, as stored or converted. */
export const column = <Type>(): Column<Type, true> => ({ answered: true, isFlag: false });

/** A boolean that answers of the API contain; SQLite stores it as a number. */
export const flag = <Type = boolean>(): Column<Type, true> => ({ answered: true, isFlag: true });

/** A column that no answer contains: for search, order, uniqueness and rules. */
export const inner = <Type>(): Column<Type, false> => ({ answered: false, isFlag: false });

/** The table type for Kysely. */
export type TableOf<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<infer Type> ? Type : never;
};

type Answered<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<unknown, true> ? Name : never;
}[keyof Table];

const namesWhere = (table: Columns, is: (one: Column<unknown>) => boolean) =>
  Object.keys(table).filter((name) => is(table[name]!));

/** The columns that an answer contains, in their order in the table. */
export const answeredColumns = <Table extends Columns>(table: Table) =>
  // The cast is safe: the type `Answered` has exactly the columns whose `answered` is true.
  namesWhere(table, ({ answered }) => answered) as (Answered<Table> & string)[];

/** The boolean columns of some tables. */
export const flagsOf = (...tables: Columns[]): string[] =>
  tables.flatMap((table) => namesWhere(table, ({ isFlag }) => isFlag));
