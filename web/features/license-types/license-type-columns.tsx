import { Tag } from 'lucide-react';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { NameButton } from '../../components/list/columns.tsx';
import { ActiveBadge } from '../../components/record/badges.tsx';
import { installationCount, licenseTypeTexts } from '../../text/es-license-types.ts';
import { lengthInWords } from '../../text/es-terms.ts';
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
    phone: 'title',
    header: columns.name,
    min: 10,
    cell: (type) => (
      <>
        <NameButton onClick={() => onView(type)}>{type.name}</NameButton>
        {type.description && (
          <p className="line-clamp-2 max-w-96 text-xs text-muted wrap-anywhere @max-[36rem]/data-table:line-clamp-1 @max-[36rem]/data-table:basis-full">
            {type.description}
          </p>
        )}
      </>
    ),
  },
  {
    key: 'price',
    phone: 'right',
    header: columns.price,
    align: 'end',
    min: 9.75,
    fits: true,
    cell: (type) => (
      <span className="wrap-anywhere @min-[36rem]/data-table:whitespace-nowrap">
        {formatMoney(type.base_price, type.currency, mixed)}
      </span>
    ),
  },
  {
    key: 'configuration',
    phone: 'left',
    header: columns.configuration,
    min: 9.25,
    fold: 1,
    cell: (type) => (
      <>
        <p>{installationCount(type.max_installations)}</p>
        <p className="text-xs text-muted">{lengthInWords(type.validity_days, type.validity_months)}</p>
      </>
    ),
  },
  {
    key: 'status',
    phone: 'third',
    header: columns.status,
    min: 8,
    cell: (type) => (
      <span className="inline-flex max-w-full flex-wrap items-center gap-1.5">
        <ActiveBadge isActive={type.is_active} />
        {type.is_promotion && (
          <Badge tone="violet" dot={false}>
            {/* May be as narrow as its column: then cut after one line. */}
            <span className="line-clamp-1 whitespace-normal wrap-anywhere">
              <Tag aria-hidden className="mr-1 inline size-3 align-[-0.125em]" />
              {type.promotion_name}
            </span>
          </Badge>
        )}
      </span>
    ),
  },
];

export const LICENSE_TYPE_ACTIONS = { header: columns.actions, min: 5.25, view: false };
