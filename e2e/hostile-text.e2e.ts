import { expect, test } from './support/staff.ts';

/**
 * Texts in fields are never interpreted: the page guard fails this test if a script runs or the policy is violated.
 */

const SCRIPT = '"><img src=x onerror="window.__ran=1"><script>window.__ran=1</script>{{7*7}}';
/** As it is typed, and as it is stored: without the mark that turns the text after it (INPUT-13). */
const TYPED = 'مرحبا \u202Eabc 👩‍👩‍👧 ñandú';
const RIGHT_TO_LEFT = TYPED.replace('\u202E', '');

test('promises: hostile text in every field is shown as text and runs no script', { tag: '@gate' }, async ({
  page,
  api,
}) => {
  test.slow();
  const client = await api.createClient({
    name: `${SCRIPT}`,
    company: TYPED,
    address: SCRIPT,
    city: SCRIPT.slice(0, 90),
    state: SCRIPT.slice(0, 90),
    country: SCRIPT.slice(0, 90),
    contact_person: SCRIPT,
    contact_position: SCRIPT.slice(0, 90),
    tax_id: SCRIPT.slice(0, 45),
    notes: `${SCRIPT}\n${TYPED}`,
  });
  const software = await api.createSoftware({ name: SCRIPT, version: TYPED, description: SCRIPT });
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
    machine_name: TYPED,
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

test('a name written from the right stands by itself, and browsers translate no key (INPUT-13)', async ({
  page,
  api,
}) => {
  const name = 'شركة 123 (A)';
  const client = await api.createClient({ name });
  const software = await api.createSoftware({ name: 'Nómina', version: '1' });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/licenses/${license.id}`);
  await expect(page.locator('bdi', { hasText: name }).first()).toBeVisible();
  await expect(page.locator('[translate=no]', { hasText: license.license_key }).first()).toBeVisible();
  await page.goto('/clients');
  await expect(page.locator('table bdi', { hasText: name })).toBeVisible();
});
