import { Tag } from 'lucide-react';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { NameButton } from '../../components/list/columns.tsx';
import { ActiveBadge } from '../../components/record/badges.tsx';
import { dayCount, installationCount, licenseTypeTexts } from '../../text/es-license-types.ts';
import { formatMoney } from '../../text/format.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table-columns.ts';

const { columns } = licenseTypeTexts;

/**
 * The columns of the list of types (SEED-2.9-03 to -08). The name opens the details.
 * @param mixed true if there are prices in several currencies
 */
export const licenseTypeColumns = (
  onView: (type: LicenseType) => void,
  mixed: boolean,
): Column<LicenseType>[] => [
  {
    key: 'name',
    header: columns.name,
    min: 10,
    grow: 4,
    cell: (type) => (
      <>
        <NameButton onClick={() => onView(type)}>{type.name}</NameButton>
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
    cell: (type) => formatMoney(type.base_price, type.currency, mixed),
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
];

export const LICENSE_TYPE_ACTIONS = { header: columns.actions, min: 5.25, view: false };
