import { addDays, startOfLocalDay } from '../../../contract/base/time.ts';
import { clientCreate } from '../../../contract/clients/clients.ts';
import { licenseTypeCreate } from '../../../contract/license-types/license-types.ts';
import { licenseCreate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { softwareCreate } from '../../../contract/software/software.ts';
import type { Actor, Scope } from '../../scope.ts';
import { createClient, replaceClient } from '../clients/save-client.ts';
import { createLicenseType } from '../license-types/save-license-type.ts';
import { cancelLicense } from '../licenses/cancel-license.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { extendLicense } from '../licenses/extend-license.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { reinstateLicense } from '../licenses/reinstate-license.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import { suspendLicense } from '../licenses/suspend-license.ts';
import { transferLicense } from '../licenses/transfer-license.ts';
import { releaseInstallation } from '../programs/release-installation.ts';
import { createSoftware } from '../software/save-software.ts';
import { LICENSES, type SampleLicense, type SampleStep } from './sample-licenses.ts';
import { install, installationOf } from './sample-machines.ts';
import { CLIENT_CHANGES, CLIENTS, SOFTWARE, TYPES } from './sample-records.ts';
import type { Staff } from './sample-staff.ts';

/**
 * An action with its time and actor. The sample data consists of these, run through the same functions as real
 * actions.
 */
type SampleAction = { at: Date; by: Actor; run: (scope: Scope) => Promise<unknown> };

/** The ids of the records created so far, by their positions in the lists. */
type Made = { clients: number[]; software: number[]; types: number[]; licenses: Map<string, number> };

const TYPE_DAYS = 620;
const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/**
 * All actions of the sample data, oldest first. They are the same for all starts on one day.
 * @param today the day from which days are counted back
 */
export function sampleActions(today: string, timeZone: string, { owner, colleague }: Staff): SampleAction[] {
  const made: Made = { clients: [], software: [], types: [], licenses: new Map() };
  const actions: SampleAction[] = [];
  let machines = 0;

  /** Adds an action in the working hours of a day, with varying minutes as in real use. */
  const add = (days: number, hour: number, run: SampleAction['run'], by?: Actor) => {
    const start = Date.parse(startOfLocalDay(addDays(today, -days), timeZone));
    const minutes = (actions.length * 7) % 55;
    // The colleague left a month ago, so later actions are the owner's.
    const who = by ?? (days > 30 && actions.length % 3 === 0 ? colleague : owner);
    actions.push({ at: new Date(start + hour * HOUR_MS + minutes * MINUTE_MS), by: who, run });
  };

  for (const [index, { days, ...software }] of SOFTWARE.entries()) {
    add(days, 9, async (scope) => {
      made.software[index] = (await createSoftware(scope, softwareCreate.parse(software))).id;
    });
  }
  for (const [index, type] of TYPES.entries()) {
    add(TYPE_DAYS, 10, async (scope) => {
      made.types[index] = (await createLicenseType(scope, typeValues(type, today))).id;
    });
  }
  for (const [index, { days, ...client }] of CLIENTS.entries()) {
    const last_contact = client.notes === '' ? null : addDays(today, -Math.floor(days / 3));
    add(days, 9, async (scope) => {
      made.clients[index] = (await createClient(scope, clientCreate.parse({ ...client, last_contact }))).id;
    });
  }
  for (const { client, days, status } of CLIENT_CHANGES) {
    add(days, 16, (scope) => replaceClient(scope, made.clients[client]!, { status }));
  }
  for (const license of LICENSES) {
    add(license.days, 11, (scope) => issue(scope, license, made));
    for (const [index, machine] of license.machines.entries()) {
      machines += 1;
      const number = machines;
      add(license.days - 1, 9 + index, (scope) => install(scope, license.key, machine, number));
    }
    for (const step of license.since ?? []) {
      if (step.did === 'install') machines += 1;
      const number = machines;
      add(step.days, 12, (scope) => take(scope, step, license.key, number, made));
    }
  }
  return actions.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function typeValues(
  { promotion, price, seats, days, grace, ...type }: (typeof TYPES)[number],
  today: string,
) {
  return licenseTypeCreate.parse({
    ...type,
    base_price: price,
    max_installations: seats,
    validity_days: days,
    grace_days: grace,
    ...(promotion && {
      is_promotion: true,
      promotion_name: promotion.name,
      promotion_description: PROMOTION_TEXT,
      discount_percentage: promotion.discount,
      promotion_start_date: addDays(today, -30),
      promotion_end_date: addDays(today, 30),
    }),
  });
}

const PROMOTION_TEXT = 'Precio especial por tiempo limitado.';

async function issue(scope: Scope, { key, client, software, type, category }: SampleLicense, made: Made) {
  const { price, promotion } = TYPES[type]!;
  const values = licenseCreate.parse({
    client: made.clients[client],
    software: made.software[software],
    license_type_config: made.types[type],
    license_type: category,
    status: category === 'trial' ? 'trial' : 'active',
    price,
    ...(promotion && {
      original_price: Math.round(price / (1 - promotion.discount / 100)),
      discount_percentage: promotion.discount,
      promotion_name: promotion.name,
      promotion_description: PROMOTION_TEXT,
    }),
  });
  made.licenses.set(key, (await issueLicense(scope, values, { licenseKey: key })).id);
}

/** Runs one step in the life of a licence, with the function that staff or a program would use. */
async function take(scope: Scope, step: SampleStep, key: string, number: number, made: Made) {
  const id = made.licenses.get(key)!;
  switch (step.did) {
    case 'renew': {
      const { reason, type, category } = step;
      const terms = {
        reason,
        ...(type !== undefined && { license_type_config: made.types[type] }),
        ...(category !== undefined && { license_type: category }),
      };
      return renewLicense(scope, id, VERBS.renew.body.parse(terms));
    }
    case 'extend':
      return extendLicense(scope, id, VERBS.extend.body.parse({ days: step.by, reason: step.reason }));
    case 'suspend':
      return suspendLicense(scope, id, VERBS.suspend.body.parse({ reason: step.reason, notify: true }));
    case 'reinstate': {
      const body = VERBS.reinstate.body.parse({ extend: step.extend, notify: true });
      return reinstateLicense(scope, id, body);
    }
    case 'cancel':
      return cancelLicense(scope, id, VERBS.cancel.body.parse({ reason: step.reason, notify: true }));
    case 'transfer': {
      const body = VERBS.transfer.body.parse({ client: made.clients[step.client], reason: step.reason });
      return transferLicense(scope, id, body);
    }
    case 'change':
      return changeLicense(scope, id, step.values);
    case 'install':
      return install(scope, key, step.machine, number);
    case 'release':
      return releaseInstallation(scope, await installationOf(scope.tx, id, step.machine));
  }
}
