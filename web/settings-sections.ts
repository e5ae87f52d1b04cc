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
import { settingsSections as titles } from './text/es.ts';

/**
 * The sections of Configuración, in display order. Each has an address below /settings; the router and the settings
 * page read this file. A new section is a component in its own feature and an entry here. The component renders only
 * its content; title and description are rendered above it. Titles that other pages say too are in text/es.ts.
 */

export interface Section<Slug extends string = string, Search = unknown> extends Page<Slug, Search, false> {
  /** The last part of the address: 'empresa' for /settings/empresa. */
  slug: Slug;
  /** Stands under the title. */
  description: string;
  icon: LucideIcon;
  permission: Permission;
}

const section = <const Slug extends string, Search = object>(
  entry: Omit<Section<Slug, Search>, 'path'>,
): Section<Slug, Search> => ({ ...entry, path: entry.slug });

export const SETTINGS_SECTIONS = {
  company: section({
    slug: 'empresa',
    title: 'Empresa',
    description: 'Así te ven tus clientes en los correos y en las constancias.',
    icon: Building2,
    permission: 'settings:read',
    code: () => import('./features/settings/company-section.tsx').then((module) => module.CompanySection),
  }),
  reminders: section({
    slug: 'avisos',
    title: 'Avisos',
    description:
      'Cuándo se recuerda a tus clientes que su licencia vence, y cuánto tiempo se guardan los registros.',
    icon: BellRing,
    permission: 'settings:read',
    code: () => import('./features/settings/reminders-section.tsx').then((module) => module.RemindersSection),
  }),
  templates: section({
    slug: 'plantillas',
    title: titles.plantillas,
    description: 'El texto de cada correo que reciben tus clientes.',
    icon: LayoutTemplate,
    permission: 'settings:read',
    code: () =>
      import('./features/mail-templates/templates-section.tsx').then((module) => module.TemplatesSection),
  }),
  portal: section({
    slug: 'portal',
    title: 'Portal',
    description: 'La página donde tus clientes ven sus licencias y liberan sus equipos.',
    icon: DoorOpen,
    permission: 'settings:read',
    code: () => import('./features/settings/portal-section.tsx').then((module) => module.PortalSection),
  }),
  payments: section({
    slug: 'pagos',
    title: 'Pagos',
    description: 'Cómo te pagan tus clientes: Mercado Pago, Stripe o transferencia.',
    icon: CreditCard,
    permission: 'settings:manage',
    code: () => import('./features/settings/payments-section.tsx').then((module) => module.PaymentsSection),
  }),
  mails: section({
    slug: 'correos',
    title: titles.correos,
    description: 'Los correos enviados, los que esperan y los que fallaron.',
    icon: Mails,
    permission: 'mails:read',
    search: readMailsSearch,
    code: () => import('./features/mail/mails-section.tsx').then((module) => module.MailsSection),
  }),
  users: section({
    slug: 'usuarios',
    title: titles.usuarios,
    description: 'Las personas que entran a la consola y lo que puede hacer cada una.',
    icon: Users,
    permission: 'users:manage',
    search: readUsersSearch,
    code: () => import('./features/people/users/users-section.tsx').then((module) => module.UsersSection),
  }),
  keys: section({
    slug: 'claves',
    title: titles.claves,
    description: 'Claves para que tus programas usen la API.',
    icon: KeyRound,
    permission: 'api_keys:manage',
    search: readKeysSearch,
    code: () => import('./features/people/api-keys/keys-section.tsx').then((module) => module.KeysSection),
  }),
  webhooks: section({
    slug: 'webhooks',
    title: titles.webhooks,
    description: 'Avisos automáticos a tus otros sistemas.',
    icon: Webhook,
    permission: 'webhooks:manage',
    search: readWebhooksSearch,
    code: () => import('./features/webhooks/webhooks-section.tsx').then((module) => module.WebhooksSection),
  }),
  signing: section({
    slug: 'firma',
    title: titles.firma,
    description:
      'Las claves con las que este servidor firma lo que responde a tus programas. No firman correos ni facturas.',
    icon: FileSignature,
    permission: 'signing_keys:manage',
    code: () => import('./features/programs/signing-section.tsx').then((module) => module.SigningSection),
  }),
  audit: section({
    slug: 'auditoria',
    title: 'Auditoría',
    description: 'Quién hizo qué, y cuándo.',
    icon: ScrollText,
    permission: 'audit:read',
    search: readAuditSearch,
    code: () => import('./features/events/audit-section.tsx').then((module) => module.AuditSection),
  }),
  system: section({
    slug: 'sistema',
    title: 'Sistema',
    description: 'Cómo están el servidor, la base de datos y los correos, y qué hacer si algo falla.',
    icon: HeartPulse,
    permission: 'settings:manage',
    code: () => import('./features/system/system-section.tsx').then((module) => module.SystemSection),
  }),
};
