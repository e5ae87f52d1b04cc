import { type Chip, chipsOf } from './filter-chips.tsx';
import { FilterSelect } from './filter-select.tsx';

/** A filter with a few values: a select beside the search box and, while active, a chip. */
interface SelectFilter {
  /** The name on the chip: 'Estado'. */
  name: string;
  /** 'Filtrar por estado' */
  label: string;
  /** The first option: no filter. */
  all: string;
  choices: Readonly<Record<string, string>>;
}

/** The selects of a list by their parameters in the address, in display order. */
export type SelectsOf<Search> = { readonly [Name in keyof Search]?: SelectFilter };

const entriesOf = <Search extends object>(selects: SelectsOf<Search>, search: Search) =>
  Object.entries<SelectFilter | undefined>(selects).flatMap(([key, filter]) =>
    filter ? [{ key, ...filter, value: search[key as keyof Search] as string | undefined }] : [],
  );

interface SelectFiltersProps<Search> {
  selects: SelectsOf<Search>;
  search: Search;
  onNarrow: (changes: Partial<Search>) => void;
}

export const SelectFilters = <Search extends object>({
  selects,
  search,
  onNarrow,
}: SelectFiltersProps<Search>) =>
  entriesOf(selects, search).map(({ key, name: _, ...select }) => (
    <FilterSelect
      key={key}
      {...select}
      onChange={(chosen) => onNarrow({ [key]: chosen } as Partial<Search>)}
    />
  ));

/** The chips of the active selects. */
export const chipsOfSelects = <Search extends object>(selects: SelectsOf<Search>, search: Search): Chip[] =>
  entriesOf(selects, search).flatMap(({ key, name, value, choices }) =>
    chipsOf({ [key]: name }, { [key]: value && choices[value] }),
  );
