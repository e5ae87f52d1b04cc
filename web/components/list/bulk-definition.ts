import type { QueryValue } from '../../api/answer.ts';
import type { Resource } from '../../api/query-keys.ts';
import type { BulkActionName, GenderedNoun } from '../../text/es-lists.ts';

/** What can be done with many records of a list at once, and how the server is told. */
export interface BulkOnServer {
  /** The list's path on the server. */
  path: string;
  resource: Resource;
  noun: GenderedNoun;
  /** In the order of the bar. */
  actions: readonly BulkActionName[];
  /** The states of 'Cambiar estado': their labels, and the fields that the call sends. */
  statuses: readonly { label: string; fields: Record<string, unknown> }[];
  exports: { failure: string; fileName: string };
}

/** The same for a list screen (LIST-01). */
export interface BulkDefinition<Row, Search> extends BulkOnServer {
  nameOf: (row: Row) => string;
  /** Search and filters by their names on the wire. */
  filters: (search: Search) => Record<string, QueryValue>;
}
