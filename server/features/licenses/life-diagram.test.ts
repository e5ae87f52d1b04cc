import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LICENSE_STATUSES, type LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import {
  actionRefusal,
  LICENSE_ACTIONS,
  type LicenseAction,
  VERBS,
} from '../../../contract/licenses/verbs/index.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { licenceIn, VERB_DOCS } from '../../../tools/verb-docs.ts';

/** The arrows of the diagram in docs/life-of-a-license.md. */
const DIAGRAM = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'life-of-a-license.md'),
  'utf8',
);

type Arrow = { from: LicenseStatus; to: LicenseStatus; action: LicenseAction };

const drawn = [...DIAGRAM.matchAll(/^ {2}(\w+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, names]) =>
  names!.split(', ').map((name) => ({ from: from!, to: to!, name })),
);
const isAction = (name: string): name is LicenseAction => LICENSE_ACTIONS.some((action) => action === name);
const isStatus = (name: string): name is LicenseStatus => LICENSE_STATUSES.some((status) => status === name);

const arrows: Arrow[] = drawn.flatMap(({ from, to, name }) =>
  isAction(name) && isStatus(from) && isStatus(to) ? [{ from, to, action: name }] : [],
);

describe('the diagram of the life of a licence in the docs', { tags: ['LIFE-03'] }, () => {
  test('has an arrow for each allowed action from each status, and no other', () => {
    const inDiagram = new Set(arrows.map(({ action, from }) => `${action} from ${from}`));
    const inTable = LICENSE_ACTIONS.flatMap((action) =>
      LICENSE_STATUSES.filter((from) => actionRefusal(action, licenceIn(from)) === null).map(
        (from) => `${action} from ${from}`,
      ),
    );
    expect([...inDiagram].sort()).toEqual(inTable.sort());
    // All other arrows are named 'time', from the statuses that are valid until the end.
    expect(drawn.filter(({ name }) => !isAction(name))).toEqual([
      { from: 'active', to: 'expired', name: 'time' },
      { from: 'trial', to: 'expired', name: 'time' },
    ]);
  });

  test.each(VERB_DOCS)('what the verbs say stands in $file', ({ file, write }) => {
    const text = readFileSync(file, 'utf8');
    expect(text === write(text), 'run node tools/verb-docs.ts').toBe(true);
  });

  test('each action changes the status as its arrow shows', async () => {
    const testApp = await createTestApp();
    const type = await createLicenseType(testApp);
    const fields: Partial<Record<LicenseAction, object>> = {
      renew: { license_type_config: type.id },
      add_seats: { quantity: 1, price: 5 },
      extend: VERBS.extend.example,
      transfer: { client: (await createClient(testApp)).id },
    };
    for (const { action, from, to } of arrows) {
      const id = await licenseIn(testApp, from, action === 'reinstate' ? to : 'active');
      const { status, body } = await testApp.call('POST', `/licenses/api/licenses/${id}/${action}/`, {
        body: { notify: false, ...fields[action] },
      });
      expect([action, from, status, body.status]).toEqual([action, from, 200, to]);
    }
  });
});

/** A licence with a status; if 'suspended', it had the status `before`. */
async function licenseIn(testApp: TestApp, status: LicenseStatus, before: LicenseStatus): Promise<number> {
  if (status !== 'suspended') return (await createLicense(testApp, { status })).id;
  const { id } = await createLicense(testApp, { status: before });
  await testApp.call('POST', `/licenses/api/licenses/${id}/suspend/`, { body: {} });
  return id;
}
