import type { FetchQueryOptions, QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QueryValue } from '../../api/answer.ts';
import type { ListPage } from '../../api/list-page.ts';
import type { PageSize } from '../../paths.ts';
import type { ListKind } from '../../record-kinds.ts';
import type { Noun } from '../../text/format.ts';
import type { DialogSize } from '../../ui/dialog-look.ts';
import type { Code } from '../frame/code.tsx';
import type { DialogSearch } from '../record/open-dialog.ts';
import type { BulkDefinition } from './bulk-definition.ts';
import type { ListViews } from './views-button.tsx';

/** A record of a list. Its id identifies its row, its dialogs and its URL. */
export interface Listed {
  id: number;
}

/** The search parameters of every list; a list adds its filters. */
export interface ListSearch extends DialogSearch {
  q?: string | undefined;
  ordering?: string | undefined;
  page?: number | undefined;
  page_size?: PageSize | undefined;
}

/** How a list is paged, and where its count is shown. */
export type Paging =
  /** All rows on one page (D054), their number above them. */
  | { kind: 'none'; count: (total: number) => string }
  /** Count and page size above the rows, the pager below them when there are several pages. */
  | { kind: 'count-above'; noun: Noun }
  /** Count and page size above the rows, summary and pager below them (D049). */
  | { kind: 'line-below'; noun: Noun };

/**
 * The words of a list. What the list does not have is left out: without `title` it stands in a section, whose page draws
 * the heading; without `search` it cannot be searched; without `create` its dialogs make nothing.
 */
interface ListTexts {
  title?: string;
  subtitle?: string;
  /** The primary button. */
  create?: string;
  /** The title of the form that it opens, if it differs from the button's label. */
  createTitle?: string;
  edit?: string;
  details?: string;
  search?: string;
  searchLabel?: string;
  /** Said while a list without pages loads, in place of its frame. */
  loading?: string;
  tableCaption?: string;
  empty: string;
  emptyHint: ReactNode;
  /** The same for a list that filters left empty. Default: `empty`, and that nothing fits. */
  nothing?: string;
  nothingHint?: string;
  /** The button of the empty list: 'Crear tu primera licencia'. Default: the primary button. */
  createFirst?: string;
}

interface ListExports {
  /** For example 'Failed to export clients': the detail under the Spanish title (SEED-8.1-08 to -10, D034). */
  failure: string;
  /** Used when the server names no file. */
  fileName: string;
}

/**
 * The constants of a list screen. Only its kind, query and empty state are required; a part that is left out is a part
 * that the list does not have.
 */
export interface ListDefinition<
  Row extends Listed,
  Search extends ListSearch,
  Fetched = unknown,
  Key extends QueryKey = QueryKey,
  Saved = unknown,
  SavedKey extends QueryKey = QueryKey,
> {
  /** Its addresses and calls are those of its kind, and its buttons what `OFFERS` has for it. */
  kind: ListKind;
  /** The query of the list at a URL; an unpaged list is selected as `onePage`. */
  query: (search: Search) => UseQueryOptions<Fetched, Error, ListPage<Row>, Key>;
  texts: ListTexts;
  /** For example 'Error al cargar los clientes'. */
  loadFailed: string;
  icon: LucideIcon;
  /** The query of one record for its dialogs; prefetched when its row is hovered or focused. */
  record?: (id: number) => FetchQueryOptions<Saved, Error, Saved, SavedKey>;
  /** The filters beside the search; 'Limpiar filtros' clears them. */
  filters?: readonly (keyof Search)[];
  /** Search and filters by their names on the wire, for its export and its bulk actions. */
  narrowing?: (search: Search) => Record<string, QueryValue>;
  /** Its file; without it the list cannot be exported. */
  exports?: ListExports;
  /** What can be done with many rows of a kind of the registry at once; without it rows cannot be ticked. */
  bulk?: BulkDefinition<Row>;
  /** Its ready views; without them the list has no views. */
  views?: ListViews;
  /** The code of the dialogs, prefetched at the first gesture of the user. */
  code?: readonly Code[];
  /** The width of its dialogs, also before their code is loaded. */
  sizes?: { form?: DialogSize; details?: DialogSize };
  /** The icon of the primary button. Default: a plus. */
  createIcon?: LucideIcon;
  /** A table shares one card with its toolbar (the default); cards stand directly on the page. */
  layout?: 'table' | 'cards';
  /** Default: all rows on one page, without a count. */
  paging?: Paging;
}

/** Checks the type of a definition; call it once, at the top of the screen's file. */
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
