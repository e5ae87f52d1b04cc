import { MAIL_KIND_LABELS, type MailRow } from '../../../contract/mail/mails.ts';
import { Absent, dateColumn, NAME_LINK, statusColumn } from '../../components/list/columns.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { LicenseLink, RecordLink } from '../../components/record/record-links.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { mailTexts } from '../../text/es-mail.ts';
import type { Column } from '../../ui/table-columns.ts';
import { MailStatusBadge } from './mail-badge.tsx';

const { columns } = mailTexts;

export const MAIL_COLUMNS: readonly Column<MailRow>[] = [
  {
    key: 'subject',
    phone: 'title',
    header: columns.subject,
    min: 13,
    cell: ({ id, subject, kind, to, to_shown = to, contact }) => (
      <>
        <Link
          to={PATHS.mails}
          search={(now) => ({ ...now, ver: id })}
          state={OVER_LIST}
          preload={false}
          className={NAME_LINK}
        >
          {subject}
        </Link>
        <p className="text-xs text-muted wrap-anywhere">
          {`${MAIL_KIND_LABELS[kind]} · ${to_shown}`}
          {contact && ` · ${mailTexts.contact}`}
        </p>
      </>
    ),
  },
  statusColumn({
    header: columns.status,
    // Wide enough for 'En bandeja de salida'.
    min: 11,
    badge: (mail) => <MailStatusBadge mail={mail} />,
  }),
  {
    key: 'client',
    phone: 'left',
    header: columns.client,
    min: 8,
    fold: 2,
    cell: ({ client }) =>
      client ? (
        <RecordLink kind="clients" id={client.id} className="line-clamp-2 wrap-anywhere">
          {client.name}
        </RecordLink>
      ) : (
        <Absent />
      ),
  },
  {
    key: 'license',
    phone: 'hidden',
    header: columns.license,
    min: 9,
    fold: 3,
    cell: ({ license }) =>
      license ? (
        <LicenseLink id={license.id} licenseKey={license.license_key} className="text-xs" />
      ) : (
        <Absent />
      ),
  },
  dateColumn({
    key: 'date',
    phone: 'third',
    header: columns.date,
    min: 7.5,
    fold: 1,
    value: ({ created_at, sent_at }) => sent_at ?? created_at,
  }),
];
