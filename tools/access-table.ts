import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES } from '../contract/people/permissions.ts';
import type { ApiDocument, ApiOperation } from '../server/http/openapi-document.ts';
import { ACCESS, between, currentDocument } from './api-table.ts';

// node tools/access-table.ts: writes the access matrix into docs/security.md, between its markers. A test calls every
// route with every kind of credential, holds the answers against the same rows, and checks that the table is current.

const file = join(import.meta.dirname, '..', 'docs', 'security.md');
const START = '<!-- access: written by tools/access-table.ts -->';
const END = '<!-- /access -->';

/** A route of the document, and what its access policy asks for. */
export type AccessRow = {
  method: string;
  path: string;
  /** The policy, as the route declares it. */
  access: ApiOperation['x-access'];
  /** The permission that an empty call needs; null for a route that needs none. */
  needs: Permission | null;
  /** Whether a person who must set up a second factor may call it. */
  duringMfaSetup: boolean;
  /** Whether no API key gets in, whatever its permissions. */
  peopleOnly: boolean;
  /** What the route itself checks beside its policy. */
  note: string;
};

const PEOPLE = 'people only: it asks for their password or code';

/** Routes that any token opens and that check more: the permission of an empty call, and the rule in words. */
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
  'GET /licenses/api/search/': { note: 'finds only kinds that one may read' },
  'GET /licenses/api/views/': { note: 'views of screens that one may read' },
  'POST /licenses/api/views/': { note: '`shared` needs `views:share`, else 403' },
  'DELETE /licenses/api/views/{id}/': { note: 'own ones; shared ones with `settings:manage`' },
  'GET /licenses/api/notifications/': { note: 'by `licenses:read` and `mails:read`' },
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
    note: 'also the permission that reads what its events are about, else 400',
  },
  'PUT /licenses/api/webhooks/{id}/': { note: 'as to create one' },
  'GET /licenses/api/webhooks/{id}/deliveries/{delivery}/': {
    note: 'also the permission that reads what the event is about, else 403',
  },
  'POST /licenses/api/webhooks/{id}/deliveries/{delivery}/resend/': { note: 'as to read it' },
  'POST /licenses/api/api-keys/': { note: 'no permission that the maker does not have' },
};

const OPEN: ReadonlySet<string> = new Set(['anyone', 'license-key']);
const WITHOUT_PERMISSION: ReadonlySet<string> = new Set([...OPEN, 'client', 'token', 'signed-in']);

/** Every route of the document. @throws for a route that any token opens and whose own check nothing describes */
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

/** Whether a route is open without any credential. */
export const isOpen = ({ access }: Pick<AccessRow, 'access'>): boolean => OPEN.has(access);

/** Whether a route is for clients in the portal, by the cookie of their session. */
export const isOfClient = ({ access }: Pick<AccessRow, 'access'>): boolean => access === 'client';

/** Whether a caller with a valid credential gets past the access check of a route. */
export function isAdmitted(
  row: AccessRow,
  caller: { kind: 'user' | 'api_key'; permissions: ReadonlySet<Permission> },
): boolean {
  if (isOpen(row)) return true;
  // No token counts in the portal.
  if (isOfClient(row)) return false;
  if (row.peopleOnly && caller.kind === 'api_key') return false;
  return row.needs === null || caller.permissions.has(row.needs);
}

const mark = (isYes: boolean) => (isYes ? '✓' : '–');

/** The matrix in Markdown: a route in each row, a credential in each column. */
export function accessTable(rows: readonly AccessRow[]): string {
  const head = ['Route', 'Needs', 'Nobody', 'Client', ...ROLES, 'API key', 'Before 2FA', 'Also'];
  const lines = rows.map((row) => [
    `\`${row.method} ${row.path}\``,
    ACCESS[row.access] ?? `\`${row.access}\``,
    mark(isOpen(row)),
    mark(isOpen(row) || isOfClient(row)),
    ...ROLES.map((role) => mark(isAdmitted(row, { kind: 'user', permissions: ROLE_PERMISSIONS[role] }))),
    mark(isAdmitted(row, { kind: 'api_key', permissions: KEY_PERMISSIONS })),
    mark(isOpen(row) || row.duringMfaSetup),
    row.note,
  ]);
  const asRow = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [asRow(head), `|${head.map(() => '---|').join('')}`, ...lines.map(asRow)].join('\n');
}

/** The text of docs/security.md with its matrix replaced. @throws when the markers are not there */
export const withAccessTable = (text: string, table: string): string => between(text, table, START, END);

if (import.meta.main) {
  const table = accessTable(accessRows(await currentDocument()));
  writeFileSync(file, withAccessTable(readFileSync(file, 'utf8'), table));
}
