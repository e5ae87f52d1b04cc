import { z } from 'zod';

/**
 * The one vocabulary of what a caller may do. A role is a named set of these, an API key has a set of its own, and each
 * route of the server names the one that it needs. Installations are read with `licenses:read`; an export needs what its
 * list needs.
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

/** What an administrator may do: everything. */
export const ALL_PERMISSIONS: ReadonlySet<Permission> = new Set(PERMISSIONS);
