import { Link } from '@tanstack/react-router';
import { Eye, Pencil, Trash2 } from 'lucide-react';
import type { Client } from '../../../contract/clients.ts';
import { ClientStatusBadge, ClientTypeBadge } from '../../components/badges.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { PATHS } from '../../paths.ts';
import { actions } from '../../text/es.ts';
import { activeCount, clientTexts } from '../../text/es-clients.ts';
import { formatDate, initialsOf } from '../../text/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';

/** Always five, whatever the page size (SEED-2.6-22, D055). */
const PLACEHOLDER_ROWS = 5;

/** Cut on the screen, where the title tells the rest; whole on paper. */
const ONE_LINE = 'truncate print:overflow-visible print:whitespace-normal print:wrap-anywhere';

interface ClientsTableProps {
  /** Undefined while nothing is known yet. */
  rows: readonly Client[] | undefined;
  /** Newer rows are on their way. */
  busy: boolean;
  /** The client that is being deleted. */
  deletingId: number | null;
  onView: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (id: number) => void;
}

/** The table of clients (SEED-2.6-06 to -13). */
export function ClientsTable({ rows, busy, deletingId, onView, onEdit, onDelete }: ClientsTableProps) {
  const { columns } = clientTexts;
  const shown: Column<Client>[] = [
    {
      key: 'client',
      header: columns.client,
      min: 10.375,
      grow: 4,
      cell: (client) => (
        <div className="flex items-center gap-2">
          <span className="flex shrink-0 print:hidden">
            <Avatar initials={initialsOf(client.name)} />
          </span>
          <div className="min-w-0 self-baseline">
            <Link
              to={PATHS.client}
              params={{ id: String(client.id) }}
              search={true}
              state={OVER_LIST}
              preload={false}
              className="line-clamp-2 font-medium text-text wrap-anywhere hover:text-brand-text hover:underline print:line-clamp-none"
            >
              {client.name}
            </Link>
            <p title={client.email} className={`text-xs text-muted ${ONE_LINE}`}>
              {client.email}
            </p>
          </div>
        </div>
      ),
    },
    {
      key: 'company',
      header: columns.company,
      min: 7.25,
      grow: 3,
      fold: 1,
      cell: (client) => (
        <>
          <p className="line-clamp-2 wrap-anywhere print:line-clamp-none">{client.company}</p>
          <p className={`text-xs text-muted ${ONE_LINE}`}>{client.city}</p>
        </>
      ),
    },
    {
      key: 'type',
      header: columns.type,
      min: 8.375,
      fold: 4,
      cell: (client) => <ClientTypeBadge type={client.client_type} />,
    },
    {
      key: 'status',
      header: columns.status,
      min: 6.875,
      cell: (client) => <ClientStatusBadge status={client.status} />,
    },
    {
      key: 'contact',
      header: columns.contact,
      min: 9.625,
      grow: 1,
      fold: 2,
      cell: (client) => (
        <>
          <p className="whitespace-nowrap">{client.phone}</p>
          <p className="text-xs text-muted wrap-anywhere">{client.contact_person}</p>
        </>
      ),
    },
    {
      key: 'licenses',
      header: columns.licenses,
      align: 'end',
      min: 4.625,
      grow: 1,
      cell: (client) => activeCount(client.active_license_count ?? client.license_count ?? 0),
    },
    {
      key: 'registered',
      header: columns.registered,
      min: 6,
      fold: 3,
      cell: (client) => (
        <>
          <p className="whitespace-nowrap">{formatDate(client.created_at)}</p>
          {/* On paper it would be true for a day. */}
          <RelativeTime value={client.created_at} className="block text-xs text-muted print:hidden" />
        </>
      ),
    },
    {
      key: 'actions',
      header: columns.actions,
      align: 'end',
      noPrint: true,
      min: 6.875,
      cell: (client) => (
        <div className="flex justify-end gap-0.5">
          <IconButton size="sm" icon={Eye} label={actions.viewDetails} onClick={() => onView(client.id)} />
          <IconButton size="sm" icon={Pencil} label={actions.edit} onClick={() => onEdit(client.id)} />
          <IconButton
            size="sm"
            tone="danger"
            icon={Trash2}
            label={actions.remove}
            aria-busy={deletingId === client.id || undefined}
            onClick={() => onDelete(client.id)}
          />
        </div>
      ),
    },
  ];
  return (
    <Table
      caption={clientTexts.tableCaption}
      columns={shown}
      rows={rows ?? []}
      rowKey={(client) => client.id}
      busy={busy}
      placeholderRows={rows === undefined ? PLACEHOLDER_ROWS : undefined}
    />
  );
}
