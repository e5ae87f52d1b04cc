import type { Permission } from '../contract/people/permissions.ts';
import { readAuditSearch } from './features/events/audit-search.ts';
import { readMailsSearch } from './features/mail/mails-search.ts';
import { readKeysSearch } from './features/people/api-keys/keys-search.ts';
import { readUsersSearch } from './features/people/users/users-search.ts';
import type { SectionSlug } from './features/settings/section-looks.ts';
import { readWebhooksSearch } from './features/webhooks/webhooks-search.ts';
import type { Page } from './screens.ts';
import { settingsSections as titles } from './text/es.ts';

/**
 * The sections of Configuración, in display order. Each has an address below /settings; the router and the settings
 * page read this file. A new section is a component in its own feature, an entry here, and its icon and description in
 * features/settings/section-looks.ts, which is not part of the first load. The component renders only its content;
 * title and description are rendered above it. Titles that other pages say too are in text/es.ts.
 */

export interface Section<Slug extends SectionSlug = SectionSlug, Search = unknown>
  extends Page<Slug, Search, false> {
  /** The last part of the address: 'empresa' for /settings/empresa. */
  slug: Slug;
  permission: Permission;
}

const section = <const Slug extends SectionSlug, Search = object>(
  entry: Omit<Section<Slug, Search>, 'path'>,
): Section<Slug, Search> => ({ ...entry, path: entry.slug });

export const SETTINGS_SECTIONS = {
  company: section({
    slug: 'empresa',
    title: 'Empresa',
    permission: 'settings:read',
    code: () => import('./features/settings/company-section.tsx').then((module) => module.CompanySection),
  }),
  reminders: section({
    slug: 'avisos',
    title: 'Avisos',
    permission: 'settings:read',
    code: () => import('./features/settings/reminders-section.tsx').then((module) => module.RemindersSection),
  }),
  templates: section({
    slug: 'plantillas',
    title: titles.plantillas,
    permission: 'settings:read',
    code: () =>
      import('./features/mail-templates/templates-section.tsx').then((module) => module.TemplatesSection),
  }),
  portal: section({
    slug: 'portal',
    title: 'Portal',
    permission: 'settings:read',
    code: () => import('./features/settings/portal-section.tsx').then((module) => module.PortalSection),
  }),
  payments: section({
    slug: 'pagos',
    title: 'Pagos',
    permission: 'settings:manage',
    code: () => import('./features/settings/payments-section.tsx').then((module) => module.PaymentsSection),
  }),
  mails: section({
    slug: 'correos',
    title: titles.correos,
    permission: 'mails:read',
    search: readMailsSearch,
    code: () => import('./features/mail/mails-section.tsx').then((module) => module.MailsSection),
  }),
  users: section({
    slug: 'usuarios',
    title: titles.usuarios,
    permission: 'users:manage',
    search: readUsersSearch,
    code: () => import('./features/people/users/users-section.tsx').then((module) => module.UsersSection),
  }),
  keys: section({
    slug: 'claves',
    title: titles.claves,
    permission: 'api_keys:manage',
    search: readKeysSearch,
    code: () => import('./features/people/api-keys/keys-section.tsx').then((module) => module.KeysSection),
  }),
  webhooks: section({
    slug: 'webhooks',
    title: titles.webhooks,
    permission: 'webhooks:manage',
    search: readWebhooksSearch,
    code: () => import('./features/webhooks/webhooks-section.tsx').then((module) => module.WebhooksSection),
  }),
  signing: section({
    slug: 'firma',
    title: titles.firma,
    permission: 'signing_keys:manage',
    code: () => import('./features/programs/signing-section.tsx').then((module) => module.SigningSection),
  }),
  audit: section({
    slug: 'auditoria',
    title: 'Auditoría',
    permission: 'audit:read',
    search: readAuditSearch,
    code: () => import('./features/events/audit-section.tsx').then((module) => module.AuditSection),
  }),
  system: section({
    slug: 'sistema',
    title: 'Sistema',
    permission: 'settings:manage',
    code: () => import('./features/system/system-section.tsx').then((module) => module.SystemSection),
  }),
};
