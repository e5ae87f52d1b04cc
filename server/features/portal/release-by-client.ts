import { hasLapsed } from '../../../contract/licenses/seats.ts';
import {
  PORTAL_LIMITS,
  RELEASE_REASON_LABELS,
  type ReleaseReason,
} from '../../../contract/portal/portal-words.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/programs/installations.ts';
import { notFound } from '../../errors.ts';
import { countUses } from '../../limits/uses.ts';
import type { PortalSession } from '../../principal.ts';
import type { Scope } from '../../scope.ts';
import { findSeatOfId, lockLicenseOfId } from '../programs/activate-installation.ts';
import { returnSeat } from '../programs/return-seat.ts';
import { requireOffered } from './portal-client.ts';
import { releasesOf } from './portal-limits.ts';

/** How many fixed seats of a licence may be released in a local month; null for no limit (PORTAL-05). */
export const releasesPerMonth = (license: {
  releases_per_month: number | null;
  self_release: boolean;
}): number | null =>
  license.releases_per_month ?? (license.self_release ? null : PORTAL_LIMITS.releasesPerMonth);

/**
 * A client releases a machine, whether or not its program may do so (PORTAL-05). A use is counted only if the release
 * succeeds.
 * @throws notFound (404) for another client's machine; AppError 403 not_allowed, 409 release_limit, 409 file_issued;
 * rateLimited (429)
 */
export async function releaseByClient(
  scope: Scope,
  { clientId, session }: { clientId: number; session: PortalSession },
  id: number,
  why: ReleaseReason,
): Promise<void> {
  const { tx, now } = scope;
  const gone = () => notFound(INSTALLATION_MESSAGES.notFound);
  if (session.ticket && session.ticket.installationId !== id) throw gone();
  const row = await tx
    .selectFrom('installations')
    .select('license_id')
    .where('id', '=', id)
    .executeTakeFirst();
  // The licence is locked first, in the same order as in an activation.
  const [license] = row ? await lockLicenseOfId(tx, { id: row.license_id }) : [];
  if (!license || license.client_id !== clientId) throw gone();
  const [seat] = await findSeatOfId(tx, { id });
  if (!seat || hasLapsed(license, seat, now)) throw gone();
  requireOffered(session, 'release');
  await countUses(tx, [releasesOf(clientId)], now);
  await returnSeat(scope, license, seat, {
    perMonth: releasesPerMonth(license),
    reason: RELEASE_REASON_LABELS[why],
  });
}
