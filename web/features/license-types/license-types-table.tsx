import { Pencil, Tag, Trash2 } from 'lucide-react';
import type { LicenseType } from '../../../contract/license-types.ts';
import { ActiveBadge } from '../../components/badges.tsx';
import { actions } from '../../text/es.ts';
import { dayCount, installationCount, licenseTypeTexts } from '../../text/es-license-types.ts';
import { formatMoney } from '../../text/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';

/** Always five (D055). */
const PLACEHOLDER_ROWS = 5;

interface LicenseTypesTableProps {
  /** Undefined while nothing is known yet. */
  rows: readonly LicenseType[] | undefined;
  /** Newer rows are on their way. */
  busy: boolean;
  onView: (id: number) => void;
  onEdit: (id: number) => void;
  onDelete: (type: LicenseType) => void;
}

/** The table of licence types (SEED-2.9-03 to -08). */
export function LicenseTypesTable({ rows, busy, onView, onEdit, onDelete }: LicenseTypesTableProps) {
  const { columns } = licenseTypeTexts;
  const shown: Column<LicenseType>[] = [
    {
      key: 'name',
      header: columns.name,
      min: 10,
      grow: 4,
      cell: (type) => (
        <>
          <button
            type="button"
            onClick={() => onView(type.id)}
            className="block min-h-6 text-left font-medium text-text wrap-anywhere hover:text-brand-text hover:underline"
          >
            {type.name}
          </button>
          {type.description && (
            <p className="line-clamp-2 max-w-96 text-xs text-muted wrap-anywhere">{type.description}</p>
          )}
        </>
      ),
    },
    {
      key: 'price',
      header: columns.price,
      align: 'end',
      min: 9.75,
      grow: 1,
      cell: (type) => formatMoney(type.base_price),
    },
    {
      key: 'configuration',
      header: columns.configuration,
      min: 9.25,
      grow: 1,
      fold: 1,
      cell: (type) => (
        <>
          <p>{installationCount(type.max_installations)}</p>
          <p className="text-xs text-muted">{dayCount(type.validity_days)}</p>
        </>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      min: 8,
      grow: 2,
      cell: (type) => (
        <span className="inline-flex max-w-full flex-wrap items-center gap-1.5">
          <ActiveBadge isActive={type.is_active} />
          {type.is_promotion && (
            <Badge tone="violet" dot={false}>
              <Tag aria-hidden className="mr-1 inline size-3 align-[-0.125em]" />
              {type.promotion_name}
            </Badge>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      header: columns.actions,
      align: 'end',
      noPrint: true,
      min: 5.25,
      cell: (type) => (
        <div className="flex justify-end gap-0.5">
          <IconButton size="sm" icon={Pencil} label={actions.edit} onClick={() => onEdit(type.id)} />
          <IconButton
            size="sm"
            tone="danger"
            icon={Trash2}
            label={actions.remove}
            onClick={() => onDelete(type)}
          />
        </div>
      ),
    },
  ];
  return (
    <Table
      caption={licenseTypeTexts.tableCaption}
      columns={shown}
      rows={rows ?? []}
      rowKey={(type) => type.id}
      busy={busy}
      placeholderRows={rows === undefined ? PLACEHOLDER_ROWS : undefined}
    />
  );
}
