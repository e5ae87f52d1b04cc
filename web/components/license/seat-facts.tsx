import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { SEAT_MODE_LABELS } from '../../../contract/licenses/sale-words.ts';
import { SEAT_DEFAULTS, type SeatTerms, seatTerms } from '../../../contract/licenses/seats.ts';
import { seatTexts as texts } from '../../text/es-sales-options.ts';
import { Fact } from '../../ui/facts.tsx';

/**
 * The seat mode and its rules, in the details of a type or a licence. A server that implements only the specification
 * does not send them.
 */
export function SeatFacts({ of }: { of: Partial<SeatTerms> }) {
  const { seat_mode, lease_minutes, self_release, releases_per_month } = seatTerms(of, SEAT_DEFAULTS);
  return (
    <>
      <Fact label={LABELS.seat_mode}>
        <span className="block">{SEAT_MODE_LABELS[seat_mode]}</span>
        {lease_minutes !== null && <span className="text-xs text-muted">{texts.lease(lease_minutes)}</span>}
      </Fact>
      {seat_mode === 'fixed' && self_release && (
        <Fact label={LABELS.self_release}>{texts.selfRelease(releases_per_month)}</Fact>
      )}
    </>
  );
}
