import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { RecordState } from './record-state.tsx';

interface EditDialogOptions<Row, Saved extends Row, Key extends QueryKey> {
  /** The query of the stored record. It is refetched whenever the dialog opens. */
  query: (id: number) => UseQueryOptions<Saved, Error, Saved, Key>;
  /** The title of the dialog, and the texts while the record loads. */
  texts: { edit: string; record: ComponentProps<typeof RecordState>['texts'] };
  size: DialogSize;
  /** The form. It is first rendered with the row, and again with the fetched record. */
  form: (record: Row, onClose: () => void) => ReactNode;
}

interface EditDialogProps<Row> {
  id: number;
  /** The row of the list, if it is on this page. The form opens at once with its data. */
  row: Row | undefined;
  onClose: () => void;
}

/** Creates the component for the dialog 'Editar …'. It opens with the row's data, then shows the fetched record. */
export const editDialog = <Row, Saved extends Row, Key extends QueryKey>({
  query,
  texts,
  size,
  form,
}: EditDialogOptions<Row, Saved, Key>) =>
  function EditDialog({ id, row, onClose }: EditDialogProps<Row>) {
    const record = useQuery(query(id));
    const known = record.data ?? row;
    if (known !== undefined) return form(known, onClose);
    return (
      <Dialog open size={size} title={texts.edit} onClose={onClose}>
        <RecordState query={record} texts={texts.record}>
          {() => null}
        </RecordState>
      </Dialog>
    );
  };
