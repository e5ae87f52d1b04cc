import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { RecordState } from './record-state.tsx';

interface EditRecordProps<Row, Saved extends Row, Key extends QueryKey> {
  /** The query of the stored record; refetched whenever the dialog opens. */
  query: UseQueryOptions<Saved, Error, Saved, Key>;
  /** The row of the list, if it is on this page: the form opens at once with its data. */
  row: Row | undefined;
  /** The title of the dialog that shows until the record is loaded. */
  title: string;
  size: DialogSize;
  texts: ComponentProps<typeof RecordState>['texts'];
  onClose: () => void;
  /** The form. It gets the row first, and then the fetched record. */
  children: (record: Row) => ReactNode;
}

/** 'Editar …' for an id: opens with the row, then shows the fetched record. */
export function EditRecord<Row, Saved extends Row, Key extends QueryKey>({
  query,
  row,
  title,
  size,
  texts,
  onClose,
  children,
}: EditRecordProps<Row, Saved, Key>) {
  const record = useQuery(query);
  const known = record.data ?? row;
  if (known !== undefined) return children(known);
  return (
    <Dialog open size={size} title={title} onClose={onClose}>
      <RecordState query={record} texts={texts}>
        {() => null}
      </RecordState>
    </Dialog>
  );
}
