import { useQuery } from '@tanstack/react-query';
import { Mails } from 'lucide-react';
import { MAIL_KIND_LABELS, type MailRow } from '../../../contract/mail/mails.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { useSearch } from '../../navigation/hooks.ts';
import { MAIL_STATUS_LABELS, mailTexts as texts } from '../../text/es-mail.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { MAIL_COLUMNS } from './mail-columns.tsx';
import { MailDetailsDialog } from './mail-details.tsx';
import { MailServerNotice } from './mail-server-card.tsx';
import { mailsAt } from './mails.api.ts';
import { type MailsSearch, readMailsSearch } from './mails-search.ts';

const MAILS = defineListScreen({
  kind: 'mails',
  query: mailsAt,
  filters: ['status', 'kind', 'license', 'client'],
  sizes: { details: 'lg' },
  texts,
  loadFailed: texts.loadFailed,
  icon: Mails,
  paging: { kind: 'line-below', noun: texts.noun },
});

const wordOf = <Key extends string>(labels: Readonly<Record<Key, string>>, value: string | undefined) =>
  value !== undefined && Object.hasOwn(labels, value) ? (value as Key) : undefined;

/** /settings/correos: the mail server (DESK-07), and sent, waiting and failed mails (MAIL-04). */
export function MailsSection() {
  const { servidor, ...raw } = useSearch(readMailsSearch);
  const status = wordOf(MAIL_STATUS_LABELS, raw.status);
  const kind = wordOf(MAIL_KIND_LABELS, raw.kind);
  const screen = useListScreen(MAILS, { ...raw, status, kind });
  const isStored = useMailIsStored();
  return (
    <ListScreen
      screen={screen}
      columns={MAIL_COLUMNS}
      selects={{
        status: { ...texts.statusFilter, choices: mailStates(MAIL_STATUS_LABELS, isStored) },
        kind: { ...texts.kindFilter, choices: MAIL_KIND_LABELS },
      }}
      chips={useRecordChips(screen.search, screen.rows)}
      notice={<MailServerNotice isOpen={servidor !== undefined} />}
      dialogs={{
        details: ({ id, onClose }) => (
          <MailDetailsDialog
            key={id}
            id={id}
            onClose={onClose}
            onOther={(other) => screen.show({ kind: 'details', id: other }, { replace: true })}
          />
        ),
      }}
    />
  );
}

/** The licence and the client in the filters. Their names appear once they are loaded. */
function useRecordChips({ license, client }: MailsSearch, rows: readonly MailRow[] | undefined) {
  const { data } = useQuery({ ...clientNameQuery(client ?? 0), enabled: client !== undefined });
  const known = (id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? String(id));
  return chipsOf(texts.filters, {
    license: known(license, rows?.find((row) => row.license?.id === license)?.license?.license_key),
    client: known(client, data?.name),
  });
}
