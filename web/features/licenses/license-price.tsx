import { LICENSE_LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { CourtesyBadge } from '../../components/record/badges.tsx';
import { formatMoney } from '../../text/format.ts';

type Priced = Pick<LicenseRow, 'price' | 'currency' | 'original_price' | 'complimentary'>;

/**
 * The final price, and the original price struck through if it differs (SEED-2.8-34). A courtesy has no price
 * (MONEY-09).
 */
export function LicensePrice({
  license: { price, currency, original_price, complimentary },
}: {
  license: Priced;
}) {
  if (complimentary) return <CourtesyBadge />;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-semibold">{formatMoney(price, currency)}</span>
      {original_price !== null && original_price !== price && (
        <s className="text-muted line-through">
          <span className="sr-only">{`${LICENSE_LABELS.original_price}: `}</span>
          {formatMoney(original_price, currency)}
        </s>
      )}
    </span>
  );
}
