import { beforeAll, describe, expect, test } from 'vitest';
import { type Permission, ROLE_PERMISSIONS, ROLES, type Role } from '../../contract/people/permissions.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { OFFERS, type Offer } from '../../web/api/offers.ts';
import { SCREENS } from '../../web/screens.ts';
import { SETTINGS_SECTIONS } from '../../web/settings-sections.ts';
import { createTestApp, type TestApp } from '../app.ts';

/**
 * Compares the actions that the console offers to a role with the server's answers: no button leads to a 403, and
 * every allowed action is offered (PEOPLE-02).
 */

type Bulk = { path: string; action: string };

/** The call of each action: a path of the API document, or a bulk call, whose permission depends on its action. */
const CALLS: Record<Exclude<Offer, 'views.share' | 'audit.export'>, string | Bulk> = {
  'clients.create': 'POST /licenses/api/clients/',
  'clients.edit': 'PUT /licenses/api/clients/{id}/',
  'clients.remove': 'DELETE /licenses/api/clients/{id}/',
  'clients.merge': 'POST /licenses/api/clients/{id}/merge/',
  'clients.erase': 'POST /licenses/api/clients/{id}/erase/',
  'clients.import': 'POST /licenses/api/imports/',
  'clients.export': 'GET /licenses/api/clients/export/',
  'software.create': 'POST /licenses/api/software/',
  'software.edit': 'PUT /licenses/api/software/{id}/',
  'software.remove': 'DELETE /licenses/api/software/{id}/',
  'software.import': 'POST /licenses/api/imports/',
  'software.export': 'GET /licenses/api/software/export/',
  'software.kit': 'GET /licenses/api/software/{id}/developer_kit/',
  'software.trial': 'POST /licenses/api/software/{id}/trial_license/',
  'license_types.create': 'POST /licenses/api/license-types/',
  'license_types.edit': 'PUT /licenses/api/license-types/{id}/',
  'license_types.toggle': 'PATCH /licenses/api/license-types/{id}/toggle-status/',
  'license_types.remove': 'DELETE /licenses/api/license-types/{id}/',
  'clients.portal.invite': 'POST /licenses/api/clients/{id}/portal/invite/',
  'clients.portal.view': 'POST /licenses/api/clients/{id}/portal/view/',
  'licenses.create': 'POST /licenses/api/licenses/',
  'licenses.edit': 'PUT /licenses/api/licenses/{id}/',
  'licenses.remove': 'DELETE /licenses/api/licenses/{id}/',
  'licenses.import': 'POST /licenses/api/imports/',
  'licenses.export': 'GET /licenses/api/licenses/export/',
  'licenses.renew': 'POST /licenses/api/licenses/{id}/renew/',
  'clients.checks': 'GET /licenses/api/checks/',
  'licenses.reinstate': 'POST /licenses/api/licenses/{id}/reinstate/',
  'licenses.usage.adjust': 'POST /licenses/api/licenses/{id}/usage/{code}/adjust/',
  'installations.release': 'DELETE /licenses/api/installations/{id}/',
  'payment_requests.create': 'POST /licenses/api/payment-requests/',
  'payment_requests.cancel': 'POST /licenses/api/payment-requests/{id}/cancel/',
  'payment_requests.send': 'POST /licenses/api/payment-requests/{id}/send/',
  'payment_requests.mark_paid': 'POST /licenses/api/payment-requests/{id}/mark_paid/',
  'payment_requests.dismiss_notice': 'POST /licenses/api/payment-requests/{id}/dismiss_notice/',
  'payment_requests.resolve': 'POST /licenses/api/payment-requests/{id}/resolve/',
  'payments.refund': 'POST /licenses/api/payments/{id}/refund/',
  'payments.export': 'GET /licenses/api/payments/export/',
  'payment_settings.save': 'PUT /licenses/api/settings/payments/',
  'clients.bulk.set_status': { path: 'clients', action: 'set_status' },
  'clients.bulk.release_seats': { path: 'clients', action: 'release_seats' },
  'clients.bulk.add_tag': { path: 'clients', action: 'add_tag' },
  'clients.bulk.remove_tag': { path: 'clients', action: 'remove_tag' },
  'clients.bulk.delete': { path: 'clients', action: 'delete' },
  'licenses.bulk.set_status': { path: 'licenses', action: 'set_status' },
  'licenses.bulk.resend_email': { path: 'licenses', action: 'resend_email' },
  'licenses.bulk.release_seats': { path: 'licenses', action: 'release_seats' },
  'licenses.bulk.add_tag': { path: 'licenses', action: 'add_tag' },
  'licenses.bulk.remove_tag': { path: 'licenses', action: 'remove_tag' },
  'licenses.bulk.delete': { path: 'licenses', action: 'delete' },
  'software.bulk.set_status': { path: 'software', action: 'set_status' },
  'software.bulk.delete': { path: 'software', action: 'delete' },
  'mails.resend': 'POST /licenses/api/mails/{id}/resend/',
  'mails.cancel': 'POST /licenses/api/mails/{id}/cancel/',
  'mails.send_waiting': 'POST /licenses/api/mails/send_waiting/',
  'settings.save': 'PUT /licenses/api/settings/',
  'mail_server.save': 'PUT /licenses/api/settings/mail/',
  'templates.save': 'PUT /licenses/api/mail-templates/{kind}/',
  'reports.export': 'GET /licenses/api/reports/revenue/export/',
  'users.manage': 'POST /licenses/api/users/',
  'keys.manage': 'POST /licenses/api/api-keys/',
  'signing.rotate': 'POST /licenses/api/signing-keys/rotate/',
  'system.manage': 'POST /licenses/api/system/check/',
};

/** The fields that a bulk action needs so that validation does not refuse it before the permission is checked. */
const FIELDS: Record<string, object> = {
  'clients/set_status': { status: 'active' },
  'licenses/set_status': { status: 'active' },
  'software/set_status': { is_active: true },
  ...Object.fromEntries(
    ['clients/add_tag', 'clients/remove_tag', 'licenses/add_tag', 'licenses/remove_tag'].map((name) => [
      name,
      { tag: 'VIP' },
    ]),
  ),
};

let t: TestApp;
let access: Map<string, string>;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  access = new Map(
    Object.entries(apiDocument(t.app).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        String(operation['x-access']),
      ]),
    ),
  );
  tokens.set('admin', t.token);
  for (const role of ROLES.filter((name) => name !== 'admin')) {
    const person = { username: role, names: role, last_name: 'X', email: `${role}@example.com`, role };
    const { body } = await t.call('POST', '/licenses/api/users/', { body: person });
    const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: body.link.split('#')[1], password: 'tres tristes tigres' },
      token: null,
    });
    tokens.set(role, accepted.body.token);
  }
  return t.close;
});

const offers = Object.entries(CALLS) as [keyof typeof CALLS, string | Bulk][];

test.each(offers.filter((entry): entry is [keyof typeof CALLS, string] => typeof entry[1] === 'string'))(
  'the console offers %s to exactly the roles that the server accepts at %s (PEOPLE-02)',
  (offer, call) => {
    expect(access.get(call)).toBe(OFFERS[offer]);
  },
);

describe.each(ROLES)('the role %s', (role) => {
  const may = (permission: Permission) => ROLE_PERMISSIONS[role].has(permission);
  const isRefused = async (method: string, url: string, body?: unknown) => {
    const token = tokens.get(role) ?? null;
    const { body: answer } = await t.call(method, url, { token, ...(body !== undefined && { body }) });
    return answer?.code === 'forbidden';
  };

  test('is offered exactly the bulk actions and shared views that the server accepts (PEOPLE-02, LIST-01)', async () => {
    for (const [offer, call] of offers) {
      if (typeof call === 'string') continue;
      const { path, action } = call;
      const body = { ids: [999], action, ...FIELDS[`${path}/${action}`] };
      const refused = await isRefused('POST', `/licenses/api/${path}/bulk_action/`, body);
      expect([offer, refused]).toEqual([offer, !may(OFFERS[offer])]);
    }
    const view = { screen: 'clients', name: role, query: 'q=ana', shared: true };
    expect(await isRefused('POST', '/licenses/api/views/', view)).toBe(!may(OFFERS['views.share']));
  });

  test('can read the data of the screens and sections that it is shown, and of no others (PEOPLE-02)', async () => {
    const reads: Record<keyof typeof SCREENS | keyof typeof SETTINGS_SECTIONS, string> = {
      dashboard: '/licenses/api/statistics/',
      clients: '/licenses/api/clients/',
      licenses: '/licenses/api/licenses/',
      licenseTypes: '/licenses/api/license-types/',
      software: '/licenses/api/software/',
      reports: '/licenses/api/reports/revenue/',
      settings: '/licenses/api/settings/',
      company: '/licenses/api/settings/',
      reminders: '/licenses/api/settings/',
      templates: '/licenses/api/mail-templates/',
      portal: '/licenses/api/settings/',
      payments: '/licenses/api/settings/payments/',
      mails: '/licenses/api/mails/',
      users: '/licenses/api/users/',
      keys: '/licenses/api/api-keys/',
      webhooks: '/licenses/api/webhooks/',
      signing: '/licenses/api/signing-keys/',
      audit: '/licenses/api/events/',
      system: '/licenses/api/system/',
    };
    for (const [name, { permission }] of Object.entries({ ...SCREENS, ...SETTINGS_SECTIONS })) {
      const path = reads[name as keyof typeof reads];
      expect([name, await isRefused('GET', path)]).toEqual([name, !may(permission)]);
    }
  });
});
