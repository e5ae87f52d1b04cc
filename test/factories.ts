import type { ClientDetails, ClientInput, SavedClient } from '../contract/clients/clients.ts';
import type { LicenseType, LicenseTypeInput } from '../contract/license-types/license-types.ts';
import type { License, LicenseInput } from '../contract/licenses/licenses.ts';
import type { Software, SoftwareInput } from '../contract/software/software.ts';
import type { TestApp } from './app.ts';

/** Create records over HTTP. Each record is valid and unique; a test sets only the fields that matter to it. */

let count = 0;
const next = () => {
  count += 1;
  return count;
};

async function create<Body>(testApp: TestApp, url: string, body: unknown): Promise<Body> {
  const answer = await testApp.call<Body>('POST', url, { body });
  if (answer.status !== 201) throw new Error(`POST ${url} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A client as it is read: without what only the answer to its creation says. */
export async function createClient(
  testApp: TestApp,
  values: Partial<ClientInput> = {},
): Promise<ClientDetails> {
  const number = next();
  const created = await create<SavedClient>(testApp, '/licenses/api/clients/', {
    name: `Cliente ${number}`,
    email: `cliente${number}@example.com`,
    phone: '+525512345678',
    ...values,
  });
  const { warnings: _warnings, suggestions: _suggestions, duplicates: _duplicates, ...client } = created;
  return client;
}

export function createSoftware(testApp: TestApp, values: Partial<SoftwareInput> = {}): Promise<Software> {
  return create(testApp, '/licenses/api/software/', {
    name: `Programa ${next()}`,
    version: '1.0.0',
    ...values,
  });
}

export function createLicenseType(
  testApp: TestApp,
  values: Partial<LicenseTypeInput> = {},
): Promise<LicenseType> {
  return create(testApp, '/licenses/api/license-types/', {
    name: `Tipo ${next()}`,
    base_price: 1200,
    max_installations: 5,
    validity_days: 365,
    ...values,
  });
}

/** Creates a licence, with a new client and software unless they are given. */
export async function createLicense(testApp: TestApp, values: Partial<LicenseInput> = {}): Promise<License> {
  const client = values.client ?? (await createClient(testApp)).id;
  const software = values.software ?? (await createSoftware(testApp)).id;
  return create(testApp, '/licenses/api/licenses/', {
    license_type: 'premium',
    price: 100,
    ...values,
    client,
    software,
  });
}

/** Takes a seat of a licence for a machine, like an installed program. */
export async function activate(testApp: TestApp, licenseKey: string, machineId: string) {
  return testApp.call('POST', '/licenses/api/installations/', {
    token: null,
    body: { license_key: licenseKey, machine_id: machineId },
  });
}
