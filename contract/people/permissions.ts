import { z } from 'zod';

/**
 * All permissions. A role is a named set of permissions, an API key has its own set, and each route declares the
 * permission that it requires. Reading installations requires `licenses:read`; an export requires the permission of
 * its list. `clients:erase` allows a person to export and erase the personal data of a client.
 */
export const PERMISSIONS = [
  'clients:read',
  'clients:write',
  'clients:delete',
  'clients:erase',
  'software:read',
  'software:write',
  'software:delete',
  'license_types:read',
  'license_types:write',
  'license_types:delete',
  'licenses:read',
  'licenses:write',
  'licenses:delete',
  'licenses:renew',
  'licenses:suspend',
  'licenses:file',
  'installations:release',
  'payments:read',
  'payments:write',
  'mails:read',
  'mails:send',
  'statistics:read',
  'imports:run',
  'views:share',
  'reports:read',
  'settings:read',
  'settings:manage',
  'audit:read',
  'users:manage',
  'api_keys:manage',
  'webhooks:manage',
  'signing_keys:manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const permission = z.enum(PERMISSIONS);

/** The permissions of an administrator: all of them. */
export const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(PERMISSIONS);

/**
 * Permissions that only people can have. An API key must not manage people or keys (PEOPLE-07), and erasing asks for
 * the person's password.
 */
const OF_PEOPLE: ReadonlySet<Permission> = new Set(['users:manage', 'api_keys:manage', 'clients:erase']);

/** The permissions that an API key can have. */
export const KEY_PERMISSIONS: ReadonlySet<Permission> = new Set(
  PERMISSIONS.filter((name) => !OF_PEOPLE.has(name)),
);

/** The roles of users (PEOPLE-02). */
export const ROLES = ['admin', 'operator', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Record<Role, string> = {
  admin: 'Administrador',
  operator: 'Operador',
  support: 'Soporte',
  viewer: 'Solo lectura',
};

/** The permissions that operators do not have: they concern the installation, not the licences. */
const OF_ADMINISTRATORS: ReadonlySet<Permission> = new Set([
  'clients:erase',
  'settings:read',
  'settings:manage',
  'audit:read',
  'users:manage',
  'api_keys:manage',
  'webhooks:manage',
  'signing_keys:manage',
]);

const reads = PERMISSIONS.filter((name) => name.endsWith(':read') && name !== 'audit:read');

export const ROLE_PERMISSIONS: Record<Role, ReadonlySet<Permission>> = {
  admin: ALL_PERMISSIONS,
  operator: new Set(PERMISSIONS.filter((name) => !OF_ADMINISTRATORS.has(name))),
  support: new Set([...reads, 'installations:release', 'mails:send', 'licenses:suspend', 'licenses:file']),
  viewer: new Set(reads.filter((name) => name !== 'mails:read' && name !== 'settings:read')),
};
