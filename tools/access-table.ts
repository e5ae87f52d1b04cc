import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES } from '../contract/people/permissions.ts';
import type { ApiDocument, ApiOperation } from '../server/http/openapi-document.ts';
import { ACCESS, between, currentDocument } from './api-table.ts';

// node tools/access-table.ts: writes the access matrix into docs/security.md, between its markers. A test calls every
// route with every kind of credential, compares the answers with these rows, and checks that the table is current.

const file = join(import.meta.dirname, '..', 'docs', 'security.md');
const START = '<!-- access: written by tools/access-table.ts -->';
const END = '<!-- /access -->';

/** A route of the API document, and what its access policy requires. */
export type AccessRow = {
  method: string;
  path: string;
  /** The policy as declared by the route. */
  access: ApiOperation['x-access'];
  /** The permission that a call without parameters needs; null if it needs none. */
  needs: Permission | null;
  /** True if a person who must set up a second factor may call it. */
  duringMfaSetup: boolean;
  /** True if API keys are always refused, whatever their permissions. */
  peopleOnly: boolean;
  /** What the route checks in addition to its policy. */
  note: string;
};

const PEOPLE = 'people only: it asks for their password or code';

/**
 * Routes that accept any token and check more themselves: the permission for a call without parameters, and the rule
 * as text.
 */
const OWN_CHECKS: Record<string, { needs?: Permission; peopleOnly?: true; note: string }> = {
  'GET /licenses/api/events/': {
    needs: 'audit:read',
    note: 'with `license` or `client`: `licenses:read` or `clients:read`; a key also with `type`: what reads its records',
  },
  'GET /licenses/api/events/export/': { needs: 'audit:read', note: 'as the list' },
  'POST /licenses/api/licenses/bulk_action/': { note: 'the permission of the action, else 403' },
  'POST /licenses/api/clients/bulk_action/': { note: 'the permission of the action, else 403' },
  'POST /licenses/api/software/bulk_action/': { note: 'the permission of the action, else 403' },
  'GET /licenses/api/jobs/{id}/': { note: 'own jobs, all with `audit:read`, else 404' },
  'POST /licenses/api/jobs/{id}/cancel/': {
    note: 'own jobs, all for administrators (not their keys), else 404',
  },
  'GET /licenses/api/notes/': { note: 'by `clients:read`; those of licences by `licenses:read`' },
  'POST /licenses/api/notes/': {
    note: 'what reads it, and people but viewers; a key with `clients:write`',
  },
  'GET /licenses/api/notes/{id}/': { note: 'as the list' },
  'PUT /licenses/api/notes/{id}/': { note: 'as to write one; own ones, others’ with `users:manage`' },
  'PATCH /licenses/api/notes/{id}/': { note: 'as to write one; own ones, others’ with `users:manage`' },
  'DELETE /licenses/api/notes/{id}/': { note: 'as to write one; own ones, others’ with `users:manage`' },
  'GET /licenses/api/search/': { note: 'finds only kinds that one may read' },
  'GET /licenses/api/views/': { note: 'views of screens that one may read' },
  'POST /licenses/api/views/': { note: '`shared` needs `views:share`, else 403' },
  'DELETE /licenses/api/views/{id}/': { note: 'own ones; shared ones with `settings:manage`' },
  'GET /licenses/api/tags/': { note: '`clients:read` or `licenses:read`, by `on`' },
  'GET /licenses/api/notifications/': { note: 'by `licenses:read` and `mails:read`' },
  'GET /licenses/api/today/': { note: 'rows of kinds that one may act on' },
  'POST /licenses/api/today/{matter}/done/': { note: 'the permission of the kind, else 403' },
  'POST /licenses/api/today/{matter}/later/': { note: 'the permission of the kind, else 403' },
  'POST /licenses/api/today/{matter}/reopen/': { note: 'the permission of the kind, else 403' },
  'POST /licenses/api/clients/{id}/portal/view/': {
    peopleOnly: true,
    note: 'people only, with `licenses:read` too',
  },
  'POST /licenses/api/payment-requests/{id}/mark_paid/': { note: 'with `licenses:renew` too' },
  'POST /licenses/api/payment-requests/{id}/resolve/': { note: '`apply` with `licenses:renew` too' },
  'POST /licenses/api/payments/{id}/refund/': { peopleOnly: true, note: PEOPLE },
  'PUT /licenses/api/settings/payments/': { peopleOnly: true, note: PEOPLE },
  'PATCH /licenses/api/settings/payments/': { peopleOnly: true, note: PEOPLE },
  'POST /licenses/api/settings/payments/{provider}/test/': { peopleOnly: true, note: PEOPLE },
  'PUT /licenses/api/settings/mail/': { peopleOnly: true, note: PEOPLE },
  'PATCH /licenses/api/settings/mail/': { peopleOnly: true, note: PEOPLE },
  'POST /licenses/api/settings/mail/test/': { peopleOnly: true, note: PEOPLE },
  'GET /licenses/api/settings/mail/': { peopleOnly: true, note: 'people only' },
  'PUT /licenses/api/mail-templates/{kind}/': { peopleOnly: true, note: PEOPLE },
  'PATCH /licenses/api/mail-templates/{kind}/': { peopleOnly: true, note: PEOPLE },
  'POST /licenses/api/mail-templates/{kind}/reset/': { peopleOnly: true, note: PEOPLE },
  'POST /licenses/api/mail-templates/{kind}/test/': {
    peopleOnly: true,
    note: 'people only: it goes to their own address',
  },
  'GET /licenses/api/portal/licenses/': { note: 'own ones; of a ticket its licence' },
  'GET /licenses/api/portal/licenses/{id}/': {
    note: 'own ones, else 404; of a ticket its licence and machine',
  },
  'POST /licenses/api/portal/installations/{id}/release/': {
    note: 'own machines, of a ticket its own, else 404; the switch `release`, else 403 `not_allowed`',
  },
  'POST /licenses/api/portal/licenses/{id}/file/': {
    note: 'own licences, of a ticket for its machine, else 404; the switch `file`',
  },
  'POST /licenses/api/portal/licenses/{id}/request/': {
    note: 'own licences, else 404; the switch `request`',
  },
  'POST /licenses/api/portal/licenses/{id}/resend/': { note: 'own licences, else 404; the switch `resend`' },
  'POST /licenses/api/portal/licenses/{id}/certificate/': {
    note: 'own licences, not by a ticket, else 404; the switch `certificate`',
  },
  'POST /licenses/api/portal/licenses/{id}/pay/': { note: 'own licences, else 404; the switch `pay`' },
  'PATCH /licenses/api/portal/me/': {
    note: '`reminders` and the others by their switches, else 403 `not_allowed`; not by a ticket',
  },
  'POST /licenses/api/portal/sign-out/': { note: '`all` not by a ticket' },
  'POST /api/auth/register/': {
    note: 'closed without `users:manage` or `ALLOW_REGISTRATION`; the first account only in demo mode and development',
  },
  'GET /api/auth/sessions/': { note: 'own sessions' },
  'DELETE /api/auth/sessions/{id}/': { note: 'own sessions, else 404' },
  'POST /licenses/api/signing-keys/rotate/': {
    peopleOnly: true,
    note: PEOPLE,
  },
  'POST /licenses/api/webhooks/': {
    note: 'also the permission that reads what its events are about, else 400; for events about staff a confirmed person',
  },
  'PUT /licenses/api/webhooks/{id}/': { note: 'as to create one' },
  'PATCH /licenses/api/webhooks/{id}/': { note: 'as to create one' },
  'DELETE /licenses/api/webhooks/{id}/': { note: 'as to create one' },
  'POST /licenses/api/webhooks/{id}/rotate_secret/': { note: 'as to create one' },
  'GET /licenses/api/webhooks/{id}/deliveries/{delivery}/': {
    note: 'also the permission that reads what the event is about, else 403',
  },
  'POST /licenses/api/webhooks/{id}/deliveries/{delivery}/resend/': { note: 'as to read it' },
  'POST /licenses/api/api-keys/': { note: 'no permission that the maker does not have' },
};

const OPEN: ReadonlySet<string> = new Set(['anyone', 'license-key']);
const WITHOUT_PERMISSION: ReadonlySet<string> = new Set([...OPEN, 'client', 'token', 'signed-in']);

/**
 * All routes of the document.
 * @throws if a route accepts any token and OWN_CHECKS does not describe its own check
 */
export function accessRows(document: ApiDocument): AccessRow[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase();
      const access = operation['x-access'];
      const own = OWN_CHECKS[`${method} ${path}`];
      if (access === 'token' && !own) throw new Error(`Nothing says what ${method} ${path} checks itself.`);
      return {
        method,
        path,
        access,
        needs: own?.needs ?? (WITHOUT_PERMISSION.has(access) ? null : (access as Permission)),
        duringMfaSetup: operation['x-during-mfa-setup'] === true,
        peopleOnly: access === 'signed-in' || own?.peopleOnly === true,
        note: own?.note ?? '',
      };
    }),
  );
}

/** True if a route is open without any credential. */
export const isOpen = ({ access }: Pick<AccessRow, 'access'>): boolean => OPEN.has(access);

/** True if a route is for clients in the portal, with the cookie of their session. */
export const isOfClient = ({ access }: Pick<AccessRow, 'access'>): boolean => access === 'client';

/** True if the access check of a route accepts this caller, whose credential is valid. */
export function isAllowed(
  row: AccessRow,
  caller: { kind: 'user' | 'api_key'; permissions: ReadonlySet<Permission> },
): boolean {
  if (isOpen(row)) return true;
  // The portal accepts no tokens.
  if (isOfClient(row)) return false;
  if (row.peopleOnly && caller.kind === 'api_key') return false;
  return row.needs === null || caller.permissions.has(row.needs);
}

const mark = (isYes: boolean) => (isYes ? '✓' : '–');

/** The matrix in Markdown: one row for each route, one column for each kind of credential. */
export function accessTable(rows: readonly AccessRow[]): string {
  const head = ['Route', 'Needs', 'Nobody', 'Client', ...ROLES, 'API key', 'Before 2FA', 'Also'];
  const lines = rows.map((row) => [
    `\`${row.method} ${row.path}\``,
    ACCESS[row.access] ?? `\`${row.access}\``,
    mark(isOpen(row)),
    mark(isOpen(row) || isOfClient(row)),
    ...ROLES.map((role) => mark(isAllowed(row, { kind: 'user', permissions: ROLE_PERMISSIONS[role] }))),
    mark(isAllowed(row, { kind: 'api_key', permissions: KEY_PERMISSIONS })),
    mark(isOpen(row) || row.duringMfaSetup),
    row.note,
  ]);
  const asRow = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [asRow(head), `|${head.map(() => '---|').join('')}`, ...lines.map(asRow)].join('\n');
}

/**
 * The text of docs/security.md with its matrix replaced.
 * @throws if the markers are missing
 */
export const withAccessTable = (text: string, table: string): string => between(text, table, START, END);

if (import.meta.main) {
  const table = accessTable(accessRows(await currentDocument()));
  writeFileSync(file, withAccessTable(readFileSync(file, 'utf8'), table));
}
