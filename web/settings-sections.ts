import {
  BellRing,
  Building2,
  CreditCard,
  DoorOpen,
  FileSignature,
  HeartPulse,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  ScrollText,
  Users,
  Webhook,
} from 'lucide-react';
import type { Permission } from '../contract/people/permissions.ts';
import { readAuditSearch } from './features/events/audit-search.ts';
import { readMailsSearch } from './features/mail/mails-search.ts';
import { readKeysSearch } from './features/people/api-keys/keys-search.ts';
import { readUsersSearch } from './features/people/users/users-search.ts';
import { readWebhooksSearch } from './features/webhooks/webhooks-search.ts';
import type { Page } from './screens.ts';
import { type SettingsSection, settingsSections as titles } from './text/es.ts';

/**
 * The sections of Configuración, in display order. Each has an address below /settings; the router and the settings
 * page read this file. A new section is a component in its own feature and an entry here. The component renders only
 * its content: the title (text/es.ts) and the description (text/es-settings.ts) are rendered above it.
 */

export interface Section<Slug extends SettingsSection = SettingsSection, Search = unknown>
  extends Page<Slug, Search, false> {
  /** The last part of the address: 'empresa' for /settings/empresa. */
  slug: Slug;
  icon: LucideIcon;
  permission: Permission;
}

const section = <const Slug extends SettingsSection, Search = object>(
  entry: Omit<Section<Slug, Search>, 'path' | 'title'>,
): Section<Slug, Search> => ({ ...entry, path: entry.slug, title: titles[entry.slug] });

export const SETTINGS_SECTIONS = {
  company: section({
    slug: 'empresa',
    icon: Building2,
    permission: 'settings:read',
    code: () => import('./features/settings/company-section.tsx').then((module) => module.CompanySection),
  }),
  reminders: section({
    slug: 'avisos',
    icon: BellRing,
    permission: 'settings:read',
    code: () => import('./features/settings/reminders-section.tsx').then((module) => module.RemindersSection),
  }),
  templates: section({
    slug: 'plantillas',
    icon: LayoutTemplate,
    permission: 'settings:read',
    code: () =>
      import('./features/mail-templates/templates-section.tsx').then((module) => module.TemplatesSection),
  }),
  portal: section({
    slug: 'portal',
    icon: DoorOpen,
    permission: 'settings:read',
    code: () => import('./features/settings/portal-section.tsx').then((module) => module.PortalSection),
  }),
  payments: section({
    slug: 'pagos',
    icon: CreditCard,
    permission: 'settings:manage',
    code: () => import('./features/settings/payments-section.tsx').then((module) => module.PaymentsSection),
  }),
  mails: section({
    slug: 'correos',
    icon: Mails,
    permission: 'mails:read',
    search: readMailsSearch,
    code: () => import('./features/mail/mails-section.tsx').then((module) => module.MailsSection),
  }),
  users: section({
    slug: 'usuarios',
    icon: Users,
    permission: 'users:manage',
    search: readUsersSearch,
    code: () => import('./features/people/users/users-section.tsx').then((module) => module.UsersSection),
  }),
  keys: section({
    slug: 'claves',
    icon: KeyRound,
    permission: 'api_keys:manage',
    search: readKeysSearch,
    code: () => import('./features/people/api-keys/keys-section.tsx').then((module) => module.KeysSection),
  }),
  webhooks: section({
    slug: 'webhooks',
    icon: Webhook,
    permission: 'webhooks:manage',
    search: readWebhooksSearch,
    code: () => import('./features/webhooks/webhooks-section.tsx').then((module) => module.WebhooksSection),
  }),
  signing: section({
    slug: 'firma',
    icon: FileSignature,
    permission: 'signing_keys:manage',
    code: () => import('./features/programs/signing-section.tsx').then((module) => module.SigningSection),
  }),
  audit: section({
    slug: 'auditoria',
    icon: ScrollText,
    permission: 'audit:read',
    search: readAuditSearch,
    code: () => import('./features/events/audit-section.tsx').then((module) => module.AuditSection),
  }),
  system: section({
    slug: 'sistema',
    icon: HeartPulse,
    permission: 'settings:manage',
    code: () => import('./features/system/system-section.tsx').then((module) => module.SystemSection),
  }),
};
