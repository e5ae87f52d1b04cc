import { Fragment, type ReactNode } from 'react';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import type { AskedDialog, OpenDialog } from '../record/open-dialog.ts';
import { DialogCode } from '../screen/dialog-code.tsx';
import { RefusedForm } from '../screen/refused-form.tsx';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';

/** A dialog without a URL: a confirmation, or the success dialog. */
export interface PassingDialog {
  /** The title of the frame before the dialog's code is loaded. */
  title: string;
  size: DialogSize | undefined;
  onClose: () => void;
  dialog: ReactNode;
}

/** The dialogs that the URL of a list can open. A URL of an absent dialog opens nothing. */
export interface DialogsOf<Row extends Listed> {
  new?: (given: { onClose: () => void }) => ReactNode;
  /** Gets the row if it is on this page, so that the form opens at once with its data. */
  edit?: (given: { id: number; row: Row | undefined; onClose: () => void }) => ReactNode;
  /** `onEdit` shows the edit form instead. */
  details?: (given: { id: number; onEdit: () => void; onClose: () => void }) => ReactNode;
}

interface ListDialogsProps<Row extends Listed> {
  dialog: OpenDialog;
  dialogs: DialogsOf<Row>;
  definition: Pick<ListDefinition<Row, ListSearch>, 'texts' | 'sizes'>;
  /** Shown while the URL opens no dialog. */
  passing: PassingDialog | null;
  rows: readonly Row[] | undefined;
  onEdit: (id: number) => void;
  onClose: () => void;
  /** True if the person lacks the permission for the dialog in the URL. A text then explains it. */
  refused: boolean;
}

/** The open dialog of a list: its frame while its code loads, the dialog, and its exit animation. */
export function ListDialogs<Row extends Listed>({
  dialog,
  dialogs,
  definition: { texts, sizes = {} },
  passing,
  rows,
  onEdit,
  onClose,
  refused,
}: ListDialogsProps<Row>) {
  const asked = dialog.kind === 'closed' ? null : ofAddress(dialog);
  const shown = asked?.dialog ? { ...asked, onClose } : passing;
  function ofAddress(asked: AskedDialog): Omit<PassingDialog, 'onClose'> {
    switch (asked.kind) {
      case 'new':
        return {
          title: texts.createTitle ?? texts.create ?? '',
          size: sizes.form,
          dialog: dialogs.new?.({ onClose }),
        };
      case 'edit': {
        const row = rows?.find(({ id }) => id === asked.id);
        return {
          title: texts.edit ?? '',
          size: sizes.form,
          // The id as key: another record gets a new form.
          dialog: dialogs.edit && (
            <Fragment key={asked.id}>{dialogs.edit({ id: asked.id, row, onClose })}</Fragment>
          ),
        };
      }
      case 'details':
        return {
          title: texts.details ?? '',
          size: sizes.details,
          dialog: dialogs.details?.({ id: asked.id, onEdit: () => onEdit(asked.id), onClose }),
        };
    }
  }
  return (
    <DialogPlace open={shown !== null}>
      {shown !== null && (
        <DialogCode key={dialog.kind} title={shown.title} size={shown.size} onClose={shown.onClose}>
          {refused ? <RefusedForm {...shown} /> : shown.dialog}
        </DialogCode>
      )}
    </DialogPlace>
  );
}
