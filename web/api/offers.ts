import { useCallback } from 'react';
import type { Permission } from '../../contract/people/permissions.ts';
import { useMay } from './permissions.ts';

/**
 * What the console offers besides its screens, with the permission that the call needs: every button, menu item and
 * shortcut that changes something or saves a file reads its permission here. The offers of a list begin with its kind
 * (record-kinds.ts). test/api/offers.test.ts compares each with
 * the answer of the server.
 */
export const OFFERS = {
  'clients.create': 'clients:write',
  'clients.edit': 'clients:write',
  'clients.remove': 'clients:delete',
  'clients.erase': 'clients:erase',
  'clients.portal.invite': 'mails:send',
  'clients.portal.view': 'clients:read',
  'clients.checks': 'licenses:read',
  'clients.import': 'imports:run',
  'clients.export': 'clients:read',
  'software.create': 'software:write',
  'software.edit': 'software:write',
  'software.remove': 'software:delete',
  'software.import': 'imports:run',
  'software.export': 'software:read',
  'software.kit': 'software:read',
  'software.trial': 'licenses:write',
  'license_types.create': 'license_types:write',
  'license_types.edit': 'license_types:write',
  'license_types.toggle': 'license_types:write',
  'license_types.remove': 'license_types:delete',
  'licenses.create': 'licenses:write',
  'licenses.edit': 'licenses:write',
  'licenses.remove': 'licenses:delete',
  'licenses.import': 'imports:run',
  'licenses.export': 'licenses:read',
  'licenses.renew': 'licenses:renew',
  'licenses.reinstate': 'licenses:suspend',
  'licenses.usage.adjust': 'licenses:write',
  'installations.release': 'installations:release',
  'payment_requests.create': 'payments:write',
  'payment_requests.cancel': 'payments:write',
  'payment_requests.send': 'payments:write',
  'payment_requests.mark_paid': 'payments:write',
  'payment_requests.resolve': 'payments:write',
  'payments.refund': 'payments:write',
  'payments.export': 'payments:read',
  'clients.bulk.set_status': 'clients:write',
  'clients.bulk.release_seats': 'installations:release',
  'clients.bulk.delete': 'clients:delete',
  'licenses.bulk.set_status': 'licenses:write',
  'licenses.bulk.resend_email': 'mails:send',
  'licenses.bulk.release_seats': 'installations:release',
  'licenses.bulk.delete': 'licenses:delete',
  'software.bulk.set_status': 'software:write',
  'software.bulk.delete': 'software:delete',
  'views.share': 'views:share',
  'mails.resend': 'mails:send',
  'mails.cancel': 'mails:send',
  'settings.save': 'settings:manage',
  'payment_settings.save': 'settings:manage',
  'templates.save': 'settings:manage',
  'audit.export': 'audit:read',
  'reports.export': 'reports:read',
  'users.manage': 'users:manage',
  'keys.manage': 'api_keys:manage',
  'signing.rotate': 'signing_keys:manage',
  'system.manage': 'settings:manage',
} as const satisfies Record<string, Permission>;

export type Offer = keyof typeof OFFERS;
export const isOffer = (name: string): name is Offer => Object.hasOwn(OFFERS, name);

/** Whether the signed-in person is offered something. */
export function useOffers(): (offer: Offer) => boolean {
  const may = useMay();
  return useCallback((offer) => may(OFFERS[offer]), [may]);
}
