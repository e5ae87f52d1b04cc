import { useCallback } from 'react';
import type { Permission } from '../../contract/people/permissions.ts';
import { useMay } from './permissions.ts';

/**
 * The actions that the console offers, each with the permission that its call needs. Every button, menu item and
 * shortcut that changes something or saves a file checks its permission here. The actions of a list begin with its
 * kind (record-kinds.ts). test/api/offers.test.ts compares each permission with the server's answer.
 */
export const OFFERS = {
  'clients.create': 'clients:write',
  'clients.edit': 'clients:write',
  'clients.remove': 'clients:delete',
  'clients.merge': 'clients:delete',
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
  'payment_requests.dismiss_notice': 'payments:write',
  'payment_requests.resolve': 'payments:write',
  'payments.refund': 'payments:write',
  'payments.export': 'payments:read',
  'clients.bulk.set_status': 'clients:write',
  'clients.bulk.release_seats': 'installations:release',
  'clients.bulk.add_tag': 'clients:write',
  'clients.bulk.remove_tag': 'clients:write',
  'clients.bulk.delete': 'clients:delete',
  'licenses.bulk.set_status': 'licenses:write',
  'licenses.bulk.resend_email': 'mails:send',
  'licenses.bulk.release_seats': 'installations:release',
  'licenses.bulk.add_tag': 'licenses:write',
  'licenses.bulk.remove_tag': 'licenses:write',
  'licenses.bulk.delete': 'licenses:delete',
  'software.bulk.set_status': 'software:write',
  'software.bulk.delete': 'software:delete',
  'views.share': 'views:share',
  'mails.resend': 'mails:send',
  'mails.cancel': 'mails:send',
  'mails.send_waiting': 'mails:send',
  'settings.save': 'settings:manage',
  'mail_server.save': 'settings:manage',
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

/** Returns a function that tests whether the signed-in person may use an action. */
export function useOffers(): (offer: Offer) => boolean {
  const may = useMay();
  return useCallback((offer) => may(OFFERS[offer]), [may]);
}
