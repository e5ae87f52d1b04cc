import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { GenderedNoun } from '../../text/es.ts';
import type { BulkActionTexts } from '../../text/es-bulk.ts';
import type { Code } from '../frame/code.tsx';
import type { BulkTarget } from './bulk-call.ts';

/** The form of an action that has fields. */
export interface BulkFieldsProps {
  target: BulkTarget;
  /** Shows what is wrong: the form was sent. */
  checked: boolean;
  /** Called with the fields as the call sends them, and whether they may be sent. */
  onChange: (fields: Record<string, unknown>, isValid: boolean) => void;
}

/** What the own dialog of an action gets. */
export interface BulkOwnDialogProps {
  /** The ticked rows; not all of them where `all` rows that match are meant. */
  rows: readonly { id: number }[];
  all: boolean;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/** What can be done with many records at once. */
export interface BulkAction {
  /** On the server. */
  name: string;
  permission: Permission;
  icon: LucideIcon;
  texts: BulkActionTexts;
  /** Whether it cannot be undone. */
  isFinal: boolean;
  /** Whether it stops something: beside 'Cancelar licencias' the way back is not called 'Cancelar'. */
  stops: boolean;
  /** The form of an action with fields. */
  Fields?: (props: BulkFieldsProps) => ReactNode;
  /** In place of the dialog of bulk calls, for an action that is one call over all. */
  OwnDialog?: (props: BulkOwnDialogProps) => ReactNode;
}

/** What can be done with many records of a list at once (LIST-01): the actions of its kind in `OFFERS`, and its own. */
export interface BulkDefinition<Row> {
  noun: GenderedNoun;
  nameOf: (row: Row) => string;
  /** The code of the actions that only this list has. */
  own?: Code<{ BULK_ACTIONS: readonly BulkAction[] }>;
  /** The states of 'Cambiar estado': their labels, and the fields that the call sends. */
  statuses: readonly { label: string; fields: Record<string, unknown> }[];
  /** Whether an action, by its name, is possible for a row; absent: the row does not say. */
  fits?: (action: string, row: Row) => boolean;
}
