import type { FetchQueryOptions, QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ListPage } from '../../api/list-page.ts';
import type { PATHS, PageSize } from '../../paths.ts';
import type { Noun } from '../../text/format.ts';
import type { DialogSize } from '../../ui/dialog-look.ts';
import type { Code } from '../frame/code.tsx';
import type { DialogSearch } from '../record/open-dialog.ts';

/** A record of a list: its id names its row, its dialogs and its address. */
export interface Listed {
  id: number;
}

/** What the address of every list may say; a list adds its filters. */
export interface ListSearch extends DialogSearch {
  q?: string | undefined;
  page?: number | undefined;
  page_size?: PageSize | undefined;
}

type ListPath = (typeof PATHS)['clients' | 'licenses' | 'licenseTypes' | 'software'];
type RecordPath = (typeof PATHS)['client' | 'license' | 'softwareItem'];

/** How a list is paged, and where it says how many rows there are. */
export type Paging =
  /** Everything at once (D054). */
  | { kind: 'none' }
  /** The count and the page size above the rows, the pages below them while there are several. */
  | { kind: 'count-above'; count: (total: number, isMore?: boolean) => string }
  /** One line below the rows: page size, sentence and pages (D049). */
  | { kind: 'line-below'; noun: Noun };

/** What is the same for as long as the console runs: where the list is, what it asks for, its words and its look. */
export interface ListDefinition<
  Row extends Listed,
  Search extends ListSearch,
  Fetched = unknown,
  Key extends QueryKey = QueryKey,
  Saved = unknown,
  SavedKey extends QueryKey = QueryKey,
> {
  path: ListPath;
  /** The address of one record; null: its details are `?ver=7` of the list. */
  recordPath: RecordPath | null;
  /** What the list shows at an address; a list without pages is selected as `onePage`. */
  query: (search: Search) => UseQueryOptions<Fetched, Error, ListPage<Row>, Key>;
  /** One record, as its dialogs read it: asked for when somebody points at its row. */
  record: (id: number) => FetchQueryOptions<Saved, Error, Saved, SavedKey>;
  /** What narrows the list beside the search; 'Limpiar filtros' takes these away. */
  filters: readonly (keyof Search)[];
  /** The code of the dialogs, fetched when somebody reaches for the list. */
  code: readonly Code[];
  /** How wide its dialogs are, also before their code is here. */
  sizes: { form: DialogSize; details: DialogSize };
  texts: {
    title: string;
    subtitle: string;
    /** The one filled button. */
    create: string;
    /** The title of the form that it opens, where that is not the button's. */
    createTitle?: string;
    edit: string;
    details: string;
    search: string;
    searchLabel: string;
    empty: string;
    emptyHint: string;
  };
  /** 'Error al cargar los clientes' and its like. */
  loadFailed: string;
  /** Of the empty list. */
  icon: LucideIcon;
  /** A table stands in one card with its toolbar; cards stand on the page. */
  layout: 'table' | 'cards';
  paging: Paging;
}

/** Checks a definition where it stands; a constant of its screen's file. */
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
