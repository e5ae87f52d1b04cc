import { useQuery } from '@tanstack/react-query';
import { Mails } from 'lucide-react';
import { MAIL_KIND_LABELS, type MailRow } from '../../../contract/mail/mails.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { FilterSelect } from '../../components/list/filter-select.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { NoMailServer } from '../../components/mail/stored-mail.tsx';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { useSearch } from '../../navigation/hooks.ts';
import { type MailsSearch, PATHS } from '../../paths.ts';
import { MAIL_STATUS_LABELS, mailTexts as texts } from '../../text/es-mail.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { MAIL_COLUMNS } from './mail-columns.tsx';
import { MailDetailsDialog } from './mail-details.tsx';
import { mailsAt } from './mails.api.ts';

const MAILS = defineListScreen({
  path: PATHS.mails,
  query: mailsAt,
  filters: ['status', 'kind', 'license', 'client'],
  sizes: { details: 'lg' },
  texts,
  loadFailed: texts.loadFailed,
  icon: Mails,
  paging: { kind: 'line-below', noun: texts.noun },
});

/** The value of a filter, if it is a word of its labels. */
const wordOf = <Key extends string>(labels: Readonly<Record<Key, string>>, value: string | undefined) =>
  value !== undefined && Object.hasOwn(labels, value) ? (value as Key) : undefined;

/** /settings/correos: what was sent, what waits and what failed (MAIL-04). */
export function MailsSection() {
  const raw = useSearch(PATHS.mails);
  const status = wordOf(MAIL_STATUS_LABELS, raw.status);
  const kind = wordOf(MAIL_KIND_LABELS, raw.kind);
  const screen = useListScreen(MAILS, { ...raw, status, kind });
  const { search, narrow, show } = screen;
  const statuses = mailStates(MAIL_STATUS_LABELS, useMailIsStored());
  const names = useNames(search, screen.rows);
  return (
    <ListScreen
      screen={screen}
      columns={MAIL_COLUMNS}
      filters={
        <>
          <FilterSelect
            label={texts.statusFilter}
            all={texts.allStatuses}
            choices={statuses}
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
        </>
      }
      chips={chipsOf(texts.filters, {
        status: status && statuses[status],
        kind: kind && MAIL_KIND_LABELS[kind],
        ...names,
      })}
      notice={<NoMailServer />}
      dialogs={{
        details: ({ id, onClose }) => (
          <MailDetailsDialog
            key={id}
            id={id}
            onClose={onClose}
            onOther={(other) => show({ kind: 'details', id: other }, { replace: true })}
          />
        ),
      }}
    />
  );
}

/** The licence and the client of the filters; each is named as soon as its name is known. */
function useNames({ license, client }: MailsSearch, rows: readonly MailRow[] | undefined) {
  const { data } = useQuery({ ...clientNameQuery(client ?? 0), enabled: client !== undefined });
  const known = (id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? String(id));
  return {
    license: known(license, rows?.find((row) => row.license?.id === license)?.license?.license_key),
    client: known(client, data?.name),
  };
}
