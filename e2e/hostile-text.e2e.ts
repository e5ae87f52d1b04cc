import { expect, test } from './support/staff.ts';

/**
 * Texts in fields are never interpreted: the page guard fails this test if a script runs or the policy is violated.
 */

const SCRIPT = '"><img src=x onerror="window.__ran=1"><script>window.__ran=1</script>{{7*7}}';
const RIGHT_TO_LEFT = 'مرحبا \u202Eabc 👩‍👩‍👧 ñandú';

test('promises: hostile text in every field is shown as text and runs no script', { tag: '@gate' }, async ({
  page,
  api,
}) => {
  test.slow();
  const client = await api.createClient({
    name: `${SCRIPT}`,
    company: RIGHT_TO_LEFT,
    address: SCRIPT,
    city: SCRIPT.slice(0, 90),
    state: SCRIPT.slice(0, 90),
    country: SCRIPT.slice(0, 90),
    contact_person: SCRIPT,
    contact_position: SCRIPT.slice(0, 90),
    tax_id: SCRIPT.slice(0, 45),
    notes: `${SCRIPT}\n${RIGHT_TO_LEFT}`,
  });
  const software = await api.createSoftware({ name: SCRIPT, version: RIGHT_TO_LEFT, description: SCRIPT });
  const type = await api.createLicenseType({
    name: SCRIPT,
    description: SCRIPT,
    is_promotion: true,
    promotion_name: SCRIPT,
  });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    promotion_name: SCRIPT,
    promotion_description: SCRIPT,
    notes: SCRIPT,
  });
  await api.activate(license.license_key, {
    machine_id: SCRIPT,
    machine_name: RIGHT_TO_LEFT,
    mac_address: SCRIPT.slice(0, 45),
    ip_address: SCRIPT.slice(0, 45),
    notes: SCRIPT,
  });

  for (const [address, text] of [
    ['/dashboard', license.license_key],
    ['/clients', SCRIPT],
    [`/clients/${client.id}`, RIGHT_TO_LEFT],
    [`/clients/${client.id}?tab=licencias`, SCRIPT],
    [`/clients/${client.id}?tab=instalaciones`, RIGHT_TO_LEFT],
    ['/licenses', license.license_key],
    [`/licenses/${license.id}`, SCRIPT],
    ['/license-types', SCRIPT],
    ['/software', SCRIPT],
    [`/software/${software.id}`, RIGHT_TO_LEFT],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(text).filter({ visible: true }).first(), address).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(globalThis, '__ran')), address).toBeUndefined();
  }
});
