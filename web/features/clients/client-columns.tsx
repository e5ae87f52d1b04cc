import type { Client } from '../../../contract/clients/clients.ts';
import { dateColumn, NAME_LINK, statusColumn } from '../../components/list/columns.tsx';
import { ClientStatusBadge, ClientTypeBadge } from '../../components/record/badges.tsx';
import { MaybeUnspecified } from '../../components/record/maybe-unspecified.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { RowTags } from '../../components/tags/row-tags.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { activeCount, clientTexts } from '../../text/es-clients.ts';
import { initialsOf } from '../../text/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import type { Column } from '../../ui/table-columns.ts';

/** Whole while there is room, then broken into two lines, with the full text as title; printed in full. */
const SMALL = 'line-clamp-2 text-xs text-muted wrap-anywhere print:line-clamp-none';

const { columns } = clientTexts;

/** The columns of the clients (SEED-2.6-06 to -13). */
export const CLIENT_COLUMNS: readonly Column<Client>[] = [
  {
    key: 'client',
    phone: 'title',
    sort: 'name',
    header: columns.client,
    min: 10,
    cell: (client) => (
      <div className="flex items-center gap-2">
        <span className="flex shrink-0 @max-[36rem]/data-table:hidden print:hidden">
          <Avatar initials={initialsOf(client.name)} />
        </span>
        <div className="min-w-0 self-baseline">
          <Link
            to={PATHS.client}
            params={{ id: String(client.id) }}
            preload={false}
            className={`${NAME_LINK} print:line-clamp-none`}
          >
            <bdi>{client.name}</bdi>
          </Link>
          <p
            title={client.email_shown ?? client.email}
            className={`${SMALL} @max-[36rem]/data-table:line-clamp-1`}
          >
            <Breakable>{client.email_shown ?? client.email}</Breakable>
          </p>
          <RowTags tags={client.tags} />
        </div>
      </div>
    ),
  },
  {
    key: 'company',
    phone: 'last',
    sort: 'company',
    header: columns.company,
    min: 6.5,
    fold: 1,
    cell: (client) => (
      <>
        <p className="line-clamp-2 wrap-anywhere @max-[36rem]/data-table:line-clamp-1 print:line-clamp-none">
          <MaybeUnspecified>{client.company}</MaybeUnspecified>
        </p>
        <p className={`${SMALL} @max-[36rem]/data-table:hidden`}>
          <MaybeUnspecified>{client.city}</MaybeUnspecified>
        </p>
      </>
    ),
  },
  {
    key: 'type',
    phone: 'hidden',
    sort: 'client_type',
    header: columns.type,
    // Wide enough for 'Pequeña Empresa'.
    min: 9.25,
    fits: true,
    fold: 4,
    cell: (client) => <ClientTypeBadge type={client.client_type} />,
  },
  statusColumn({
    sort: 'status',
    header: columns.status,
    badge: ({ status }) => <ClientStatusBadge status={status} />,
  }),
  {
    key: 'contact',
    phone: 'hidden',
    header: columns.contact,
    // Wide enough for a phone number of 13 characters; the longest possible has 17.
    min: 8.625,
    fold: 2,
    cell: (client) => (
      <>
        <p className="wrap-anywhere">{client.phone}</p>
        <p className="text-xs text-muted wrap-anywhere">
          <MaybeUnspecified>{client.contact_person}</MaybeUnspecified>
        </p>
      </>
    ),
  },
  {
    key: 'licenses',
    phone: 'third',
    sort: 'license_count',
    header: columns.licenses,
    align: 'end',
    min: 4.625,
    fits: true,
    cell: (client) => activeCount(client.active_license_count ?? client.license_count ?? 0),
  },
  dateColumn({
    key: 'registered',
    phone: 'hidden',
    sort: 'created_at',
    header: columns.registered,
    min: 6.5,
    fold: 3,
    value: ({ created_at }) => created_at,
    // Not printed, because a relative time is outdated the next day.
    className: 'text-muted print:hidden',
  }),
];

const menu = codeOf(() => import('./client-row-menu.tsx'));
const ROW_MENU = {
  hasItems: () => true,
  load: () => void menu.fetch().catch(() => undefined),
  Menu: lazyComponent(menu, (module) => module.ClientRowMenu),
};

/** The buttons of a row. The menu of clients also has 'Nueva licencia' for people who may issue one. */
export const clientActions = (issues: boolean) => ({
  header: columns.actions,
  min: 7.375,
  view: true,
  ...(issues && { more: ROW_MENU }),
});
