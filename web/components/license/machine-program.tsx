import type { Installation } from '../../../contract/programs/installations.ts';
import { seatTexts as texts } from '../../text/es-sales-options.ts';
import { formatDate, formatDateTime } from '../../text/format.ts';

/**
 * The data that a machine's program reported: 'Versión 4.2.1 · Windows 11'. Renders nothing if there are none
 * (PROG-06).
 */
export function MachineProgram({ of: { app_version, os } }: { of: Installation }) {
  const parts = [app_version && texts.version(app_version), os].filter(Boolean);
  return parts.length === 0 ? null : <p className="text-xs text-muted wrap-anywhere">{parts.join(' · ')}</p>;
}

/**
 * Until when the license file of a machine is valid. Renders nothing if there is none or it has expired (PORTAL-05).
 */
export function SeatFile({ of: { file_until } }: { of: Installation }) {
  // A server that implements only the specification does not send this field.
  if (!file_until || Date.parse(file_until) < Date.now()) return null;
  return <p className="text-xs text-muted">{texts.file(formatDate(file_until))}</p>;
}

/** When the lease of a floating seat ends. Renders nothing for a fixed seat (PROG-05). */
export function SeatLease({ of: { lease_until } }: { of: Installation }) {
  // A server that implements only the specification does not send this field.
  if (lease_until === null || lease_until === undefined) return null;
  const isOver = Date.parse(lease_until) < Date.now();
  return (
    <p className="text-xs text-muted">{isOver ? texts.lapsed : texts.until(formatDateTime(lease_until))}</p>
  );
}
