import { MAIL_KIND_LABELS, type MailRow } from '../../../contract/mail/mails.ts';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { ClientLink, LicenseLink } from '../../components/record/record-links.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { NOT_AVAILABLE } from '../../text/es.ts';
import { mailTexts } from '../../text/es-mail.ts';
import { formatDate } from '../../text/format.ts';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { MailStatusBadge } from './mail-badge.tsx';

const { columns } = mailTexts;

/** Always five, as in the other lists (D055). */
const PLACEHOLDER_ROWS = 5;

const COLUMNS: readonly Column<MailRow>[] = [
  {
    key: 'subject',
    phone: 'title',
    header: columns.subject,
    min: 13,
    grow: 5,
    cell: ({ id, subject, kind, to }) => (
      <>
        <Link
          to={PATHS.mails}
          search={(now) => ({ ...now, ver: id })}
          state={OVER_LIST}
          preload={false}
          className="line-clamp-2 font-medium text-text wrap-anywhere hover:text-brand-text hover:underline"
        >
          {subject}
        </Link>
        <p className="text-xs text-muted wrap-anywhere">{`${MAIL_KIND_LABELS[kind]} · ${to}`}</p>
      </>
    ),
  },
  {
    key: 'status',
    phone: 'third',
    header: columns.status,
    min: 6.5,
    cell: ({ status }) => <MailStatusBadge status={status} />,
  },
  {
    key: 'client',
    phone: 'left',
    header: columns.client,
    min: 8,
    grow: 2,
    fold: 2,
    cell: ({ client }) =>
      client ? (
        <ClientLink id={client.id} className="line-clamp-2 wrap-anywhere">
          {client.name}
        </ClientLink>
      ) : (
        <span className="text-muted">{NOT_AVAILABLE}</span>
      ),
  },
  {
    key: 'license',
    phone: 'hidden',
    header: columns.license,
    min: 9,
    grow: 1,
    fold: 3,
    cell: ({ license }) =>
      license ? (
        <LicenseLink id={license.id} licenseKey={license.license_key} className="text-xs" />
      ) : (
        <span className="text-muted">{NOT_AVAILABLE}</span>
      ),
  },
  {
    key: 'date',
    phone: 'third',
    header: columns.date,
    min: 7.5,
    fold: 1,
    cell: ({ created_at, sent_at }) => (
      <>
        <p className="@max-[36rem]/data-table:hidden">{formatDate(sent_at ?? created_at)}</p>
        <RelativeTime value={sent_at ?? created_at} className="block text-xs text-muted" />
      </>
    ),
  },
];

/** The table of mails. */
export const MailsTable = ({ rows, busy }: { rows: readonly MailRow[] | undefined; busy: boolean }) => (
  <Table
    caption={mailTexts.tableCaption}
    columns={COLUMNS}
    rows={rows ?? []}
    rowKey={({ id }) => id}
    busy={busy}
    placeholderRows={rows === undefined ? PLACEHOLDER_ROWS : undefined}
  />
);
