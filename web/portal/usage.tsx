import { isNearlyUsed } from '../../contract/licenses/meter-period.ts';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { usageNote, usageTexts, usedInWords } from '../text/es-meters.ts';
import { AmountBar } from '../ui/amount-bar.tsx';
import { Card } from '../ui/card.tsx';
import { cx } from '../ui/cx.ts';

/**
 * The usage by a client's programs, with a bar for each meter that has a limit (SELL-03). Renders nothing without
 * meters.
 */
export function Usage({ license: { usage } }: { license: PortalLicense }) {
  if (usage.length === 0) return null;
  return (
    <Card title={usageTexts.portalTitle}>
      <ul className="space-y-5">
        {usage.map((row) => {
          const isHigh = isNearlyUsed(row);
          return (
            <li key={row.code} className="space-y-1.5">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="wrap-anywhere">{row.code}</span>
                <span className={cx('font-medium', isHigh && 'text-warning-text')}>{usedInWords(row)}</span>
              </p>
              {row.limit !== null && (
                <AmountBar label={row.code} value={row.used} max={row.limit} high={isHigh} />
              )}
              <p className="text-sm text-muted">{usageNote(row)}</p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
