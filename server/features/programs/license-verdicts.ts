import { refusalOf } from '../../../contract/licenses/license-state.ts';
import type { LicenseVerdicts, MachineVerdict } from '../../../contract/licenses/license-verdict.ts';
import type { AppContext } from '../../context.ts';
import { NO_MACHINE } from './free-seats.ts';
import { findForValidation, seatsNow, verdictOf } from './validate-license.ts';

/**
 * The answers that programs would now get about a licence, by the guards of validation: for a machine that holds a
 * seat, and for any other. Nothing is counted, signed or written (D144).
 * @returns undefined for an unknown licence
 */
export async function licenseVerdictsOf(
  { db, now, config: { timeZone } }: Pick<AppContext, 'db' | 'now' | 'config'>,
  id: number,
): Promise<LicenseVerdicts | undefined> {
  const at = now();
  const row = await db.selectFrom('licenses').where('id', '=', id).select('license_key').executeTakeFirst();
  const license = row && (await findForValidation(db, row.license_key, NO_MACHINE));
  if (!license) return undefined;
  const { taken } = await seatsNow(db, license, { machineId: NO_MACHINE, now: at });
  const seats = { taken, max: license.max_installations };
  const verdict = (hasSeat: boolean): MachineVerdict =>
    verdictOf(refusalOf({ license, seats, hasSeat }, at, timeZone), license, at, timeZone);
  return {
    as_of: at.toISOString(),
    activated: verdict(true),
    other: verdict(false),
    max_installations: license.max_installations,
    current_installations: taken,
  };
}
