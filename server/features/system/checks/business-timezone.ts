import { keptZone } from '../../settings/business-zone.queries.ts';
import { countOtherDays } from '../../settings/move-ends.ts';
import { type Check, counted, ok, warning } from './check.ts';

/** Compares BUSINESS_TIMEZONE with the zone in whose days the stored ends lie (INPUT-17). */
export const businessTimezone: Check = {
  id: 'business_timezone',
  needs: 'schema',
  run: async ({ config: { timeZone, databaseUrl }, db }) => {
    const kept = (await keptZone(db)) ?? timeZone;
    if (kept === timeZone) return ok(`${timeZone}.`);
    const ends = await countOtherDays(db, { from: kept, to: timeZone });
    return warning(
      otherZone({ kept, timeZone, ends }),
      `Si el cambio es a propósito, ${databaseUrl === null ? 'detén el servidor y ejecuta' : 'ejecuta'} npm run doctor -- --fix: mueve los fines al mismo día en la zona nueva. Si no, escribe BUSINESS_TIMEZONE=${kept}.`,
    );
  },
};

/** What a change of the zone does to the stored ends; the log of a start says the same. */
const otherZone = ({ kept, timeZone, ends }: { kept: string; timeZone: string; ends: number }) =>
  `BUSINESS_TIMEZONE es ${timeZone}, y los fines se guardaron en días de ${kept}: ${counted(ends, 'fin se muestra otro día', 'fines se muestran otro día')}.`;
