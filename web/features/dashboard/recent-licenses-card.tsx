import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileKey2 } from 'lucide-react';
import { isRecord } from '../../api/answer.ts';
import { LicenseStatusBadge } from '../../components/badges.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { PATHS } from '../../paths.ts';
import { loadErrors, NOT_AVAILABLE } from '../../text/es.ts';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { formatDate } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type RecentLicense, recentLicensesQuery } from './dashboard.api.ts';

const PLACEHOLDER_ROWS = 5;

/** The name of a client or software: flat, nested, or 'N/A' (SEED-2.5-19, D092). */
function nameOf(flat: string | null | undefined, nested: unknown): string {
  if (flat) return flat;
  return isRecord(nested) && typeof nested.name === 'string' && nested.name !== ''
    ? nested.name
    : NOT_AVAILABLE;
}

const COLUMNS: readonly Column<RecentLicense>[] = [
  {
    key: 'key',
    header: dashboardTexts.licenseKey,
    cell: ({ id, license_key }) => (
      <Link to={PATHS.license} params={{ id: String(id) }} className="rounded hover:underline">
        <Code className="text-xs whitespace-nowrap">{license_key}</Code>
      </Link>
    ),
  },
  {
    key: 'client',
    header: dashboardTexts.client,
    cell: ({ client_name, client }) => nameOf(client_name, client),
  },
  {
    key: 'software',
    header: dashboardTexts.softwareColumn,
    cell: ({ software_name, software }) => nameOf(software_name, software),
  },
  {
    key: 'status',
    header: dashboardTexts.status,
    cell: ({ status }) => <LicenseStatusBadge status={status} />,
  },
  {
    key: 'issued',
    header: dashboardTexts.issuedDate,
    cell: ({ issued_date }) => formatDate(issued_date) || NOT_AVAILABLE,
  },
];

/** 'Licencias Recientes': the five newest; its failure is its own and leaves the rest alone (D110). */
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
        <EmptyState icon={FileKey2} title={dashboardTexts.empty} hint={dashboardTexts.emptyHint} />
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
