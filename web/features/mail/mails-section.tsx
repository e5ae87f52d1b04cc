import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Mails } from 'lucide-react';
import { MAIL_KIND_LABELS, type MailRow } from '../../../contract/mail/mails.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { preferredPageSize } from '../../api/page-size.ts';
import { DialogCode } from '../../components/frame/dialog-code.tsx';
import { LoadError } from '../../components/frame/load-error.tsx';
import { chipsOf, FilterChips } from '../../components/list/filter-chips.tsx';
import { FilterSelect } from '../../components/list/filter-select.tsx';
import { PagingAbove, PagingBelow } from '../../components/list/list-paging.tsx';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { useShownRows } from '../../components/list/use-shown-rows.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { useSearch } from '../../navigation/hooks.ts';
import { type MailsSearch, PATHS } from '../../paths.ts';
import { filters as filterWords } from '../../text/es.ts';
import { MAIL_STATUS_LABELS, mailTexts as texts } from '../../text/es-mail.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { MailDetailsDialog } from './mail-details.tsx';
import { mailsAt, untilSent } from './mails.api.ts';
import { MailsTable } from './mails-table.tsx';

const FILTERS = ['status', 'kind', 'license', 'client'] as const;
const ADDRESS = { path: PATHS.mails, filters: FILTERS } as const;
const PAGING = { kind: 'line-below', noun: texts.noun } as const;

/** The value of a filter, if it is a word of its labels. */
const wordOf = <Key extends string>(labels: Readonly<Record<Key, string>>, value: string | undefined) =>
  value !== undefined && Object.hasOwn(labels, value) ? (value as Key) : undefined;

/** /settings/correos: what was sent, what waits and what failed (MAIL-04). */
export function MailsSection() {
  const raw = useSearch(PATHS.mails);
  const isStored = useMailIsStored();
  const status = wordOf(MAIL_STATUS_LABELS, raw.status);
  const kind = wordOf(MAIL_KIND_LABELS, raw.kind);
  const search: MailsSearch = { ...raw, status, kind };
  const list = useQuery({
    ...mailsAt(search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => untilSent(state.data?.rows),
  });
  const { narrow, turnTo, clear, resize, show, close, dialog } = useListAddress<MailRow, MailsSearch>(
    ADDRESS,
    search,
  );
  const pageSize = search.page_size ?? preferredPageSize();
  const rows = useShownRows(list, search.page, turnTo);
  const isEmpty = rows?.length === 0;
  const isNarrowed = FILTERS.some((name) => search[name] !== undefined);
  const chips = useMailChips(search, rows);
  return (
    <>
      <NoMailServer />
      {list.isError && (
        <LoadError
          title={texts.loadFailed}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      <Card padding="none">
        <search
          data-print="hidden"
          className="flex flex-wrap gap-2 border-b border-border px-5 py-4 max-sm:*:w-full"
        >
          <FilterSelect
            label={texts.statusFilter}
            all={texts.allStatuses}
            choices={mailStates(MAIL_STATUS_LABELS, isStored)}
            value={status}
            onChange={(value) => narrow({ status: value })}
          />
          <FilterSelect
            label={texts.kindFilter}
            all={texts.allKinds}
            choices={MAIL_KIND_LABELS}
            value={kind}
            onChange={(value) => narrow({ kind: value })}
          />
          <FilterChips
            chips={chips}
            onRemove={(key) => narrow({ [key]: undefined })}
            onClear={isEmpty ? null : clear}
          />
        </search>
        <PagingAbove
          paging={PAGING}
          page={list.data}
          pageSize={pageSize}
          onResize={(size) => void resize(size, pageSize)}
        />
        {isEmpty ? (
          <EmptyState
            icon={Mails}
            title={isNarrowed ? texts.nothing : texts.empty}
            hint={isNarrowed ? texts.nothingHint : texts.emptyHint}
            action={isNarrowed && <Button onClick={clear}>{filterWords.clear}</Button>}
          />
        ) : (
          (rows !== undefined || !list.isError) && <MailsTable rows={rows} busy={list.isPlaceholderData} />
        )}
        <PagingBelow paging={PAGING} page={list.data} onPage={turnTo} />
      </Card>
      <DialogPlace open={dialog.kind === 'details'}>
        {dialog.kind === 'details' && (
          <DialogCode title={texts.details} size="lg" onClose={close}>
            <MailDetailsDialog
              key={dialog.id}
              id={dialog.id}
              onClose={close}
              onOther={(id) => show({ kind: 'details', id }, { replace: true })}
            />
          </DialogCode>
        )}
      </DialogPlace>
    </>
  );
}

/** The filters that are on, in words; a record is named as soon as its name is known. */
function useMailChips(search: MailsSearch, rows: readonly MailRow[] | undefined) {
  const status = wordOf(MAIL_STATUS_LABELS, search.status);
  const kind = wordOf(MAIL_KIND_LABELS, search.kind);
  const isStored = useMailIsStored();
  const { data: client } = useQuery({
    ...clientNameQuery(search.client ?? 0),
    enabled: search.client !== undefined,
  });
  const license = rows?.find((row) => row.license?.id === search.license)?.license;
  const known = (id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? String(id));
  return chipsOf(texts.filters, {
    status: status && mailStates(MAIL_STATUS_LABELS, isStored)[status],
    kind: kind && MAIL_KIND_LABELS[kind],
    license: known(search.license, license?.license_key),
    client: known(search.client, client?.name),
  });
}
