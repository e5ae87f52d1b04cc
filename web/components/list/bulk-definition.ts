import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { GenderedNoun } from '../../text/es.ts';
import type { BulkActionTexts } from '../../text/es-bulk.ts';
import type { Code } from '../screen/code.tsx';
import type { BulkTarget } from './bulk-call.ts';

/** The form of an action that has fields. */
export interface BulkFieldsProps {
  target: BulkTarget;
  /** True after a submit: the form shows its errors. */
  checked: boolean;
  /** Called with the fields for the request, and whether they are valid. */
  onChange: (fields: Record<string, unknown>, isValid: boolean) => void;
}

/** The props of an action's special dialog. */
interface BulkOwnDialogProps {
  /** The selected rows. If `all` is true, every matching row is selected, and these are only some of them. */
  rows: readonly { id: number }[];
  all: boolean;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/** An action on many records at once. */
export interface BulkAction {
  /** The name in the API. */
  name: string;
  permission: Permission;
  icon: LucideIcon;
  texts: BulkActionTexts;
  /** True if it cannot be undone. */
  isFinal: boolean;
  /**
   * True for an action that stops licences, such as 'Cancelar licencias'. The other button of its dialog must not be
   * labelled 'Cancelar' too.
   */
  stops: boolean;
  /** The form, for an action with fields. */
  Fields?: (props: BulkFieldsProps) => ReactNode;
  /** Replaces the usual dialog, for an action that is one call for all records. */
  OwnDialog?: (props: BulkOwnDialogProps) => ReactNode;
}

/** Whether an action adds a tag to the records, or takes one from them (DESK-03). */
export const isTagAction = ({ name }: Pick<BulkAction, 'name'>): boolean =>
  name === 'add_tag' || name === 'remove_tag';

/** The bulk actions of a list (LIST-01): those that `OFFERS` has for its kind, and special ones of the list. */
export interface BulkDefinition<Row> {
  noun: GenderedNoun;
  nameOf: (row: Row) => string;
  /** The code of the actions that only this list has. */
  own?: Code<{ BULK_ACTIONS: readonly BulkAction[] }>;
  /** The choices of 'Cambiar estado': labels, and the fields for the request. */
  statuses: readonly { label: string; fields: Record<string, unknown> }[];
  /** Whether an action is possible for a row. Absent: the rows do not have this information. */
  fits?: (action: string, row: Row) => boolean;
}
