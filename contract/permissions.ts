import { z } from 'zod';

/**
 * All permissions. A role is a named set of permissions, an API key has its own set, and each route names the
 * permission that it needs. Reading installations needs `licenses:read`; an export needs the permission of its list.
 */
export const PERMISSIONS = [
  'clients:read',
  'clients:write',
  'clients:delete',
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

export const permission = z.enum(PERMISSIONS).meta({ id: 'Permission' });

/** The permissions of an administrator: all of them. */
export const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(PERMISSIONS);
