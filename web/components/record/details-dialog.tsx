import { Pencil } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { actions } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { DialogSubject } from '../../ui/dialog-props.ts';
import { useRecordTitle } from '../screen/window-title.ts';
import { DateTime } from './date-time.tsx';
import { RecordState } from './record-state.tsx';
import { RelativeTime } from './relative-time.tsx';

interface DetailsDialogProps<Saved>
  extends Pick<ComponentProps<typeof Dialog>, 'size' | 'steady' | 'onClose'>,
    Pick<ComponentProps<typeof RecordState<Saved>>, 'query'> {
  texts: { details: string; record: ComponentProps<typeof RecordState>['texts'] };
  /** The record's name in the window's title. */
  nameOf: (record: Saved) => string;
  /** The content below the title of the dialog. */
  subject: (record: Saved) => DialogSubject;
  children: (record: Saved) => ReactNode;
}

/** The dialog with the details of a record. It has texts for a record that is loading or was deleted. */
export function DetailsDialog<Saved>({
  query,
  texts,
  nameOf,
  subject,
  children,
  ...frame
}: DetailsDialogProps<Saved>) {
  const record = query.error === null ? query.data : undefined;
  useRecordTitle(record && nameOf(record));
  return (
    <Dialog open title={texts.details} subject={record && subject(record)} {...frame}>
      <RecordState query={query} texts={texts.record}>
        {children}
      </RecordState>
    </Dialog>
  );
}

export const EditButton = ({ onClick }: { onClick: () => void }) => (
  <Button size="sm" icon={Pencil} onClick={onClick}>
    {actions.edit}
  </Button>
);

/** A date with time, and below it how long ago it was. */
export const Moment = ({ value }: { value: string }) => (
  <>
    <DateTime value={value} className="block" />
    <RelativeTime value={value} className="text-xs text-muted" />
  </>
);
