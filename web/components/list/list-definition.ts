import type { FetchQueryOptions, QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QueryValues } from '../../api/answer.ts';
import type { ListPage } from '../../api/list-page.ts';
import type { PageSize } from '../../paths.ts';
import type { ListKind } from '../../record-kinds.ts';
import type { Noun } from '../../text/format.ts';
import type { DialogSize } from '../../ui/dialog-look.ts';
import type { DialogSearch } from '../record/open-dialog.ts';
import type { Code } from '../screen/code.tsx';
import type { BulkDefinition } from './bulk-definition.ts';
import type { ListViews } from './views-button.tsx';

/** A record of a list. Its id identifies the row, the dialogs and the URL. */
export interface Listed {
  id: number;
}

/** The search parameters that all lists have; each list adds its filters. */
export interface ListSearch extends DialogSearch {
  q?: string | undefined;
  ordering?: string | undefined;
  page?: number | undefined;
  page_size?: PageSize | undefined;
}

/** How a list is split into pages, and where its count is shown. */
export type Paging =
  /** All rows on one page (D054), with their number above them. */
  | { kind: 'none'; count: (total: number) => string }
  /** Count and page size above the rows, the pager below them when there are several pages. */
  | { kind: 'count-above'; noun: Noun }
  /** Count and page size above the rows, summary and pager below them (D049). */
  | { kind: 'line-below'; noun: Noun };

/**
 * The texts of a list. A list that has no such part omits its text: without `title` it is a section of a page, which
 * renders the heading; without `search` it has no search; without `create` no records can be created.
 */
interface ListTexts {
  title?: string;
  subtitle?: string;
  /** The label of the primary button. */
  create?: string;
  /** The title of the creation form, if it differs from the button's label. */
  createTitle?: string;
  edit?: string;
  details?: string;
  search?: string;
  searchLabel?: string;
  /** Shown instead of the list's frame while a list without pages loads. */
  loading?: string;
  tableCaption?: string;
  empty: string;
  emptyHint: ReactNode;
  /** Shown if no row matches the filters. Default: the text `empty`, with a hint that nothing matches the filters. */
  nothing?: string;
  nothingHint?: string;
  /** The button of the empty list: 'Crear tu primera licencia'. Default: the label of the primary button. */
  createFirst?: string;
}

interface ListExports {
  /** For example 'Failed to export clients': the detail under the Spanish title (SEED-8.1-08 to -10, D034). */
  failure: string;
  /** Used if the server sends no file name. */
  fileName: string;
}

/**
 * The constants of a list screen. Only kind, query and empty state are required. If another part is omitted, the list
 * does not have it.
 */
export interface ListDefinition<
  Row extends Listed,
  Search extends ListSearch,
  Fetched = unknown,
  Key extends QueryKey = QueryKey,
  Saved = unknown,
  SavedKey extends QueryKey = QueryKey,
> {
  /** Determines the paths, the API calls and, through `OFFERS`, the available buttons. */
  kind: ListKind;
  /** The query of the list at a URL. A list without pages uses `onePage` as `select`. */
  query: (search: Search) => UseQueryOptions<Fetched, Error, ListPage<Row>, Key>;
  texts: ListTexts;
  /** For example 'Error al cargar los clientes'. */
  loadFailed: string;
  icon: LucideIcon;
  /** The query of a single record for its dialogs. It is prefetched when its row gets the pointer or the focus. */
  record?: (id: number) => FetchQueryOptions<Saved, Error, Saved, SavedKey>;
  /** The filters beside the search; 'Limpiar filtros' clears them. */
  filters?: readonly (keyof Search)[];
  /** Search and filters by their API names, for export and bulk actions. */
  narrowing?: (search: Search) => QueryValues;
  /** The exported file. Absent: the list cannot be exported. */
  exports?: ListExports;
  /** The bulk actions, only for kinds in record-kinds.ts. Absent: rows cannot be selected. */
  bulk?: BulkDefinition<Row>;
  /** The predefined views. Absent: the list has no views. */
  views?: ListViews;
  /** The code of the dialogs, prefetched at the first gesture of the user. */
  code?: readonly Code[];
  /** The widths of the dialogs, used also before their code is loaded. */
  sizes?: { form?: DialogSize; details?: DialogSize };
  /** The icon of the primary button. Default: a plus. */
  createIcon?: LucideIcon;
  /** `table` (default): the table and its toolbar share a card. `cards`: the cards stand directly on the page. */
  layout?: 'table' | 'cards';
  /** Default: all rows on one page, without a count. */
  paging?: Paging;
}

/** Checks the type of a definition. Call it once, at the top level of the screen's file. */
export const defineListScreen = <
  Row extends Listed,
  Search extends ListSearch,
  Fetched,
  Key extends QueryKey,
  Saved,
  SavedKey extends QueryKey,
>(
  definition: ListDefinition<Row, Search, Fetched, Key, Saved, SavedKey>,
) => definition;
