import { useQuery } from '@tanstack/react-query';
import { FileKey2 } from 'lucide-react';
import { isRecord } from '../../api/answer.ts';
import { LicenseStateBadge } from '../../components/record/badges.tsx';
import { LoadError } from '../../components/screen/load-error.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { loadErrors, NOT_AVAILABLE } from '../../text/es.ts';
import { formatDate } from '../../text/format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { type RecentLicense, recentLicensesQuery } from './dashboard.api.ts';
import { dashboardTexts } from './dashboard-texts.ts';

const PLACEHOLDER_ROWS = 5;

/** The name of a client or software from the flat field or the object, or 'N/A' (SEED-2.5-19, D092). */
function nameOf(flat: string | null | undefined, nested: unknown): string {
  if (flat) return flat;
  return isRecord(nested) && typeof nested.name === 'string' && nested.name !== ''
    ? nested.name
    : NOT_AVAILABLE;
}

const Name = ({ children }: { children: string }) => (
  <bdi className="line-clamp-2 wrap-anywhere">{children}</bdi>
);

const COLUMNS: readonly Column<RecentLicense>[] = [
  {
    key: 'key',
    phone: 'title',
    header: dashboardTexts.licenseKey,
    min: 9.75,
    max: 16,
    cell: ({ id, license_key }) => (
      <Link to={PATHS.license} params={{ id: String(id) }} className="rounded hover:underline">
        <Code className="text-xs">{license_key}</Code>
      </Link>
    ),
  },
  {
    key: 'client',
    phone: 'left',
    header: dashboardTexts.client,
    min: 7.75,
    cell: ({ client_name, client }) => <Name>{nameOf(client_name, client)}</Name>,
  },
  {
    key: 'software',
    phone: 'right',
    header: dashboardTexts.softwareColumn,
    min: 7,
    fold: 1,
    cell: ({ software_name, software }) => <Name>{nameOf(software_name, software)}</Name>,
  },
  {
    key: 'status',
    phone: 'third',
    header: dashboardTexts.status,
    min: 6.875,
    cell: (license) => <LicenseStateBadge license={license} />,
  },
  {
    key: 'issued',
    phone: 'third',
    header: dashboardTexts.issuedDate,
    min: 6.5,
    fold: 2,
    cell: ({ issued_date }) => (
      <span className="whitespace-nowrap">{formatDate(issued_date) || NOT_AVAILABLE}</span>
    ),
  },
];

/** 'Licencias Recientes': the five newest licences. A failure is shown only in this card (D110). */
export function RecentLicensesCard() {
  const { data, error, isPending, refetch, isFetching } = useQuery(recentLicensesQuery);
  return (
    <Card
      title={dashboardTexts.recent}
      padding="none"
      action={
        <Link to={PATHS.licenses} className="rounded text-brand-text hover:underline">
          {dashboardTexts.viewAll}
        </Link>
      }
    >
      {data === undefined && error !== null ? (
        <div className="px-5 pb-5">
          <LoadError
            title={loadErrors.licenses}
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      ) : data?.length === 0 ? (
        <EmptyState
          icon={FileKey2}
          title={dashboardTexts.empty}
          hint={dashboardTexts.emptyHint}
          action={
            <Offered what="licenses.create">
              <Link to={PATHS.licenses} search={{ nuevo: '1' }} className={buttonClass('secondary')}>
                {dashboardTexts.createFirst}
              </Link>
            </Offered>
          }
        />
      ) : (
        <Table
          caption={dashboardTexts.recent}
          columns={COLUMNS}
          rows={data ?? []}
          rowKey={({ id }) => id}
          placeholderRows={isPending ? PLACEHOLDER_ROWS : undefined}
        />
      )}
    </Card>
  );
}
