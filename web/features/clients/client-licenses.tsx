import { FileKey2 } from 'lucide-react';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { isExpired } from '../../../contract/base/time.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { ExpiryDistance } from '../../components/license/urgency.tsx';
import {
  CourtesyBadge,
  LicenseCategoryBadge,
  LicenseStateBadge,
  ValidityBadge,
} from '../../components/record/badges.tsx';
import { LicenseLink, LicenseTypeName, RecordLink } from '../../components/record/record-links.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { areMixed, formatDate, formatMoney, formatPercent, formatSeats } from '../../text/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Tab 'Licencias' (SEED-2.7-13 to -21). */
export function ClientLicenses({ licenses }: { licenses: readonly LicenseRow[] }) {
  if (licenses.length === 0) {
    return <EmptyState icon={FileKey2} title={clientTexts.noLicenses} hint={clientTexts.noLicensesHint} />;
  }
  const mixed = areMixed(licenses);
  return (
    <ul className="space-y-4">
      {licenses.map((license) => (
        <li key={license.id} className="rounded-xl border border-border p-4">
          <LicenseItem license={license} mixed={mixed} />
        </li>
      ))}
    </ul>
  );
}

function LicenseItem({ license, mixed }: { license: LicenseRow; mixed: boolean }) {
  const texts = clientTexts.license;
  return (
    <article className="space-y-4">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-semibold wrap-anywhere">
            <RecordLink kind="software" id={license.software.id} className="inline-block py-0.5">
              {license.software_name}{' '}
              <span className="font-normal text-muted">{license.software_version}</span>
            </RecordLink>
          </h3>
          {license.software_description && (
            <p className="mt-0.5 text-muted wrap-anywhere">{license.software_description}</p>
          )}
        </div>
        <LicenseStateBadge license={license} />
      </header>
      <div className="flex items-center gap-2 rounded-lg border border-border bg-sunken py-1 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          <span className="sr-only">{texts.key}: </span>
          <LicenseLink id={license.id} licenseKey={license.license_key} />
        </div>
        <CopyButton text={license.license_key} size="sm" variant="ghost" />
      </div>
      <Facts columns={3}>
        <Fact label={texts.type}>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <LicenseCategoryBadge category={license.license_type} />
            <LicenseTypeName license={license} />
          </span>
        </Fact>
        <Fact label={clientTexts.price}>
          <PriceBlock license={license} mixed={mixed} />
        </Fact>
        <Fact label={DETAIL_LABELS.seats_used}>
          {formatSeats(license.current_installations ?? 0, license.max_installations)}
        </Fact>
        <Fact label={texts.issued}>
          <time dateTime={license.issued_date}>{formatDate(license.issued_date)}</time>
        </Fact>
        <Fact label={texts.expiry}>
          <Expiry license={license} />
        </Fact>
      </Facts>
    </article>
  );
}

/** The final price, the original price struck through if it differs, and discount and promotion if there are any. */
function PriceBlock({ license, mixed }: { license: LicenseRow; mixed: boolean }) {
  const { price, currency, original_price, discount_percentage, promotion_name, promotion_description } =
    license;
  const wasDifferent =
    original_price !== null && original_price !== undefined && Number(original_price) !== Number(price);
  if (license.complimentary) return <CourtesyBadge />;
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold">{formatMoney(price, currency, mixed)}</span>
        {wasDifferent && (
          <s className="text-muted line-through">
            <span className="sr-only">{clientTexts.originalPrice}: </span>
            {formatMoney(original_price, currency, mixed)}
          </s>
        )}
      </p>
      {Number(discount_percentage) > 0 && (
        <p className="text-xs font-medium text-success-text">
          {clientTexts.discount(formatPercent(Number(discount_percentage)))}
        </p>
      )}
      {promotion_name && <p className="mt-1 text-xs font-medium">{promotion_name}</p>}
      {promotion_description && <p className="text-xs text-muted">{promotion_description}</p>}
    </div>
  );
}

/** 'Expirada' or 'Válida' by the date, independent of the status (SEED-2.7-20, D066). */
function Expiry({ license }: { license: LicenseRow }) {
  const { expiry_date: date } = license;
  if (!date) return <span className="text-muted">{withoutEnd(license)}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <time dateTime={date}>{formatDate(date)}</time>
      <ValidityBadge isExpired={isExpired(date, new Date())} />
      <ExpiryDistance license={license} className="text-xs" />
    </span>
  );
}
