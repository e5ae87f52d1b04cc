import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { remainingCount, urgencyTexts } from '../../text/es.ts';
import { expiryLabel } from '../../text/relative-time.ts';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../record/relative-time.tsx';
import { expiryUrgency, seatsUrgency, type Urgency } from './urgency-level.ts';

/** The colours of each urgency. The texts give the same information without colour. */
const COLOURS: Record<Urgency, string> = {
  now: 'font-medium text-critical-text',
  soon: 'text-warning-text',
  none: 'text-muted',
};

type Ending = Pick<LicenseRow, 'expiry_date'> & { status: string };

/** 'Vence en 5 días', 'Venció hace 3 días'. Renders nothing for a licence without an end. */
export function ExpiryDistance({ license, className }: { license: Ending; className?: string }) {
  return (
    <RelativeTime
      value={license.expiry_date}
      words={expiryLabel}
      className={cx(COLOURS[expiryUrgency(license, new Date())], className)}
    />
  );
}

/** '4 restantes': the number of free seats. */
export function SeatsLeft({ left, seats, className }: { left: number; seats: number; className?: string }) {
  return <span className={cx(COLOURS[seatsUrgency(left, seats)], className)}>{remainingCount(left)}</span>;
}

/** 'Correo fallido', if the mail about the licence could not be delivered; else nothing. */
export function MailFailure({ license }: { license: Pick<LicenseRow, 'email_status'> }) {
  if (license.email_status !== 'failed') return null;
  return <p className={cx('mt-0.5 text-xs', COLOURS.now)}>{urgencyTexts.mailFailed}</p>;
}
