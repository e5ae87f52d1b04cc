import { useQuery } from '@tanstack/react-query';
import type { License } from '../../../contract/licenses/licenses.ts';
import { isNearlyUsed } from '../../../contract/licenses/meter-period.ts';
import type { UsageRow } from '../../../contract/licenses/meters.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { usageTexts as texts, usageNote, usedInWords } from '../../text/es-meters.ts';
import { AmountBar } from '../../ui/amount-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { cx } from '../../ui/cx.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { usageQuery } from './usage.api.ts';

/** 'Consumo' of a licence: its meters in their current periods (SELL-03). Renders nothing if there are none. */
export function LicenseUsage({ license, onAdjust }: { license: License; onAdjust: () => void }) {
  const hasMeters = Object.keys(license.meters ?? {}).length > 0;
  const { data, isError } = useQuery({ ...usageQuery(license.id), enabled: hasMeters });
  if (!hasMeters) return null;
  return (
    <DialogSection title={texts.title} columns={1}>
      {isError && <p className="text-muted">{texts.failed}</p>}
      <ul className="space-y-4">
        {data?.map((row) => (
          <li key={row.code}>
            <Usage row={row} />
          </li>
        ))}
      </ul>
      <Offered what="licenses.usage.adjust">
        <p>
          <Button size="sm" onClick={onAdjust}>
            {texts.fix}
          </Button>
        </p>
      </Offered>
    </DialogSection>
  );
}

function Usage({ row }: { row: UsageRow }) {
  const isHigh = isNearlyUsed(row);
  return (
    <div className="space-y-1">
      <p className="flex flex-wrap justify-between gap-x-4">
        <Code>{row.code}</Code>
        <span className={cx('font-medium', isHigh && 'text-warning-text')}>{usedInWords(row)}</span>
      </p>
      {row.limit !== null && <AmountBar label={row.code} value={row.used} max={row.limit} high={isHigh} />}
      <p className="text-xs text-muted">{usageNote(row)}</p>
    </div>
  );
}
