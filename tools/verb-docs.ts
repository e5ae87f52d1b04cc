import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENSE_STATUSES, type LicenseStatus } from '../contract/licenses/licenses.fields.ts';
import type { LicenseState } from '../contract/licenses/verbs/definition.ts';
import { actionRefusal, LICENSE_ACTIONS, VERBS, verbOf } from '../contract/licenses/verbs/index.ts';
import { LICENSE_VERBS } from '../server/features/licenses/license-verbs.ts';
import { between } from './api-table.ts';

// node tools/verb-docs.ts: writes the events of the verbs on a licence into docs/api.md, and the diagram of its life
// into docs/life-of-a-license.md. Tests check that both are current.

const docs = join(import.meta.dirname, '..', 'docs');

/** The two documents, with what they say of the verbs, and the function that writes it. */
export const VERB_DOCS = [
  { file: join(docs, 'api.md'), write: withEventRows },
  { file: join(docs, 'life-of-a-license.md'), write: withDiagram },
];

/** The row of the table of events after which those of the verbs stand, as in EVENT_TYPES. */
const BEFORE = 'license.started';

/** Replaces the rows of the verbs in the table of events. */
function withEventRows(text: string): string {
  const isOf = (line: string, types: readonly string[]) =>
    types.some((type) => line.startsWith(`| \`${type}\` |`));
  const own = LICENSE_ACTIONS.map((action) => VERBS[action].event);
  const rows = LICENSE_ACTIONS.map((action) => {
    const { when, changes } = LICENSE_VERBS[action].event;
    const cells = [`\`${VERBS[action].event}\``, when, changes];
    return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
  });
  const lines = text.split('\n').filter((line) => !isOf(line, own));
  return lines.flatMap((line) => (isOf(line, [BEFORE]) ? [line, ...rows] : [line])).join('\n');
}

/** A licence that only its status keeps from an action. */
export const licenceIn = (status: LicenseStatus): LicenseState => ({
  status,
  license_type: 'premium',
  issued_date: '2026-01-01T06:00:00.000Z',
  expiry_date: '2027-01-01T05:59:59.000Z',
  updates_until: null,
  activate_by: null,
  grace_days: 0,
  offline_days: 7,
  lease_minutes: null,
  max_installations: 1,
  current_installations: 0,
  is_extended: false,
  is_expired: false,
  complimentary: false,
});

/** The arrows from a status: the verbs that it allows, together where they lead to the same one. */
function arrowsFrom(from: LicenseStatus): string[] {
  const to = new Map<LicenseStatus, string[]>();
  for (const action of LICENSE_ACTIONS) {
    if (actionRefusal(action, licenceIn(from)) !== null) continue;
    const { leadsTo = (status) => [status] } = verbOf(action);
    for (const status of leadsTo(from)) to.set(status, [...(to.get(status) ?? []), action]);
  }
  const arrows = [...to].map(([status, verbs]) => `  ${from} --> ${status}: ${verbs.join(', ')}`);
  return [...arrows, ...(IN_TIME.includes(from) ? [`  ${from} --> expired: time`] : [])];
}

/** The statuses that end by themselves. */
const IN_TIME: readonly LicenseStatus[] = ['active', 'trial'];

/** Replaces the diagram of the life of a licence. */
function withDiagram(text: string): string {
  const parts = [
    ['stateDiagram-v2', '  [*] --> active: issue', '  [*] --> trial: issue'],
    ...LICENSE_STATUSES.map(arrowsFrom),
    ['  cancelled --> [*]'],
  ];
  const diagram = parts.filter((part) => part.length > 0).map((part) => part.join('\n'));
  const mermaid = `\`\`\`mermaid\n${diagram.join('\n\n')}\n\`\`\``;
  return between(text, mermaid, '<!-- diagram: written by tools/verb-docs.ts -->', '<!-- /diagram -->');
}

if (import.meta.main) {
  for (const { file, write } of VERB_DOCS) writeFileSync(file, write(readFileSync(file, 'utf8')));
}
