import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from '../../navigation/link.tsx';
import { type MainKind, RECORD_KINDS } from '../../record-kinds.ts';
import type { DialogSubject } from '../../ui/dialog-props.ts';
import { RecordPage } from '../../ui/record-page.tsx';
import { useUi } from '../screen/ui-store.ts';
import { useRecordTitle } from '../screen/window-title.ts';
import { RecordState } from './record-state.tsx';

interface DetailsPageProps<Saved> extends Pick<ComponentProps<typeof RecordState<Saved>>, 'query'> {
  kind: MainKind;
  texts: { title: string; details: string; record: ComponentProps<typeof RecordState>['texts'] };
  /** The record's name in the window's title. */
  nameOf: (record: Saved) => string;
  /** Name, state, actions, and what stands beside the content. */
  subject: (record: Saved) => DialogSubject;
  children: (record: Saved) => ReactNode;
}

/** The page with the details of a record (DESK-05). It says so while the record loads, or if it was deleted. */
export function DetailsPage<Saved>({
  kind,
  query,
  texts,
  nameOf,
  subject,
  children,
}: DetailsPageProps<Saved>) {
  const record = query.error === null ? query.data : undefined;
  useRecordTitle(record && nameOf(record));
  return (
    <RecordPage
      title={texts.details}
      subject={record && subject(record)}
      back={<BackToList kind={kind} label={texts.title} />}
    >
      <RecordState query={query} texts={texts.record}>
        {children}
      </RecordState>
    </RecordPage>
  );
}

/** The link to the list, with its last filters. */
function BackToList({ kind, label }: { kind: MainKind; label: string }) {
  const { list } = RECORD_KINDS[kind];
  const search = useUi((state) => state.filters[list]);
  return (
    <Link
      to={list}
      search={search ?? {}}
      data-print="hidden"
      className="inline-flex min-h-6 items-center gap-1.5 rounded-sm text-sm text-muted hover:text-text pointer-coarse:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {label}
    </Link>
  );
}
