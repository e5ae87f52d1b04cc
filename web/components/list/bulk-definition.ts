import type { ReactNode } from 'react';
import type { QueryValue } from '../../api/answer.ts';
import type { Offer } from '../../api/offers.ts';
import type { Resource } from '../../api/query-keys.ts';
import type { BulkActionName } from '../../text/es-bulk.ts';
import type { GenderedNoun } from '../../text/es-lists.ts';
import type { BulkTarget } from './bulk-call.ts';

/** The form of an action that has fields. */
export interface BulkFieldsProps {
  action: BulkActionName;
  target: BulkTarget;
  /** Shows what is wrong: the form was sent. */
  checked: boolean;
  /** Called with the fields as the call sends them, and whether they may be sent. */
  onChange: (fields: Record<string, unknown>, isValid: boolean) => void;
}

/** What can be done with many records of a list at once, and the call that does it. */
export interface BulkOnServer {
  /** The list's path on the server. */
  path: string;
  resource: Resource;
  noun: GenderedNoun;
  /** Each with what it offers (PEOPLE-02). */
  actions: Readonly<Partial<Record<BulkActionName, Offer>>>;
  /** The states of 'Cambiar estado': their labels, and the fields that the call sends. */
  statuses: readonly { label: string; fields: Record<string, unknown> }[];
  exports: { failure: string; fileName: string };
  /** The actions with fields, and their form. */
  forms?: { actions: readonly BulkActionName[]; Fields: (props: BulkFieldsProps) => ReactNode };
}

/** The same for a list screen (LIST-01). */
export interface BulkDefinition<Row, Search> extends BulkOnServer {
  nameOf: (row: Row) => string;
  /** Search and filters by their names on the wire. */
  filters: (search: Search) => Record<string, QueryValue>;
}
