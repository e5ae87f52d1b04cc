import type { Installation } from '../../../contract/programs/installations.ts';
import { seatTexts as texts } from '../../text/es-seats.ts';
import { formatDate, formatDateTime } from '../../text/format.ts';

/** What the program of a machine reports: 'Versión 4.2.1 · Windows 11'. Nothing where it reports nothing (PROG-06). */
export function MachineProgram({ of: { app_version, os } }: { of: Installation }) {
  const parts = [app_version && texts.version(app_version), os].filter(Boolean);
  return parts.length === 0 ? null : <p className="text-xs text-muted wrap-anywhere">{parts.join(' · ')}</p>;
}

/** Until when the offline file of a machine holds; nothing without one, or when it has ended (PORTAL-05). */
export function SeatFile({ of: { file_until } }: { of: Installation }) {
  // A server of the specification says nothing of files.
  if (!file_until || Date.parse(file_until) < Date.now()) return null;
  return <p className="text-xs text-muted">{texts.file(formatDate(file_until))}</p>;
}

/** Until when a floating seat is lent; nothing for a fixed one (PROG-05). */
export function SeatLease({ of: { lease_until } }: { of: Installation }) {
  // A server of the specification says nothing of leases.
  if (lease_until === null || lease_until === undefined) return null;
  const isOver = Date.parse(lease_until) < Date.now();
  return (
    <p className="text-xs text-muted">{isOver ? texts.lapsed : texts.until(formatDateTime(lease_until))}</p>
  );
}
