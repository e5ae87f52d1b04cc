import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

/**
 * What people type, paste or import is read by one function for each kind of text, in contract/reading/. This finds
 * fields and doors that read by themselves. Another kind adds an entry to `KINDS`.
 */

const ROOT = join(import.meta.dirname, '..');

/** A kind of text: where people give it, what reads it there by itself, and what may do so, by the reason. */
interface Kind {
  reader: string;
  doors: RegExp;
  /** The readings in a file, as they are written there. */
  readings: (path: string, source: string) => string[];
  /** By the reason, `path: reading` of those that read no such text. */
  allowed: Record<string, readonly string[]>;
}

/** Rounding makes a number of the text of a number. */
const ROUNDING = /\.to(?:Fixed|Precision)\(\d+\)\)$/;
const NUMBER_CALLS = new Set(['Number', 'parseInt', 'parseFloat']);

/** Inputs that are numbers for the browser, and calls that make a number of a text. */
function numbersRead(path: string, source: string): string[] {
  const found: string[] = [];
  const named = (node: { type: string; name?: unknown }) =>
    node.type === 'Identifier' ? String(node.name) : '';
  new Visitor({
    JSXAttribute: ({ name, value }) => {
      const text = value?.type === 'Literal' ? value.value : undefined;
      if (name.name === 'type' && text === 'number') found.push('type="number"');
      if (name.name === 'role' && text === 'spinbutton') found.push('role="spinbutton"');
    },
    CallExpression: ({ callee, start, end }) => {
      const isOfNumber = callee.type === 'MemberExpression' && named(callee.object) === 'Number';
      const name = isOfNumber ? named(callee.property) : named(callee);
      const call = source.slice(start, end);
      if (NUMBER_CALLS.has(name) && !ROUNDING.test(call)) found.push(call);
    },
    MemberExpression: ({ property }) => {
      if (named(property) === 'valueAsNumber') found.push('valueAsNumber');
    },
    UnaryExpression: ({ operator, argument, start, end }) => {
      if (operator === '+' && argument.type !== 'Literal') found.push(source.slice(start, end));
    },
  }).visit(parseSync(path, source).program);
  return found;
}

const KINDS: Record<string, Kind> = {
  'numbers (INPUT-01)': {
    reader: 'contract/reading/numbers.ts',
    doors: /^web\/|^server\/features\/imports\//,
    readings: numbersRead,
    allowed: {
      'The only input for numbers: its attributes, and whether its text is plain already': [
        'web/ui/number-input.tsx: Number(text)',
        'web/ui/number-input.tsx: Number(step)',
        'web/ui/number-input.tsx: Number(max ?? next)',
        'web/ui/number-input.tsx: Number(min ?? next)',
        'web/ui/number-input.tsx: Number(min)',
        'web/ui/number-input.tsx: Number(max)',
        'web/ui/number-input.tsx: role="spinbutton"',
      ],
      'Ids and counts in an address': [
        'web/search-fields.ts: Number(value)',
        'web/portal/address.ts: Number(query.get(name))',
        'web/components/client/chosen-client.tsx: Number(id)',
        'web/components/record/open-dialog.ts: Number(id)',
        'web/features/certificate/certificate-page.tsx: Number(id)',
        'web/features/events/audit-filters.tsx: Number(texts.user)',
        'web/features/events/license-picker.tsx: Number(id)',
        'web/features/imports/imports-page.tsx: Number(id)',
        'web/features/licenses/licenses-chips.ts: Number(search.type)',
        'web/features/software/integration/integration-page.tsx: Number(id)',
      ],
      'The values of selects, radio buttons and attributes, which the console writes itself': [
        'web/ui/page-size-select.tsx: Number(event.target.value)',
        'web/components/list/bulk-dialog.tsx: Number(status)',
        'web/components/payment/use-charge-form.ts: Number(type)',
        "web/components/record/use-record-ahead.ts: Number(reached.closest('[data-row-key]')?.getAttribute('data-row-key'))",
        'web/features/licenses/actions/renew.tsx: Number(terms.license_type_config)',
        'web/features/licenses/licenses-form.tsx: Number(software)',
        'web/features/licenses/licenses-form.tsx: Number(type)',
        'web/features/licenses/licenses.form.tsx: Number(typed)',
        'web/features/licenses/release-machine-dialog.tsx: Number(id)',
        'web/features/mail-templates/template-preview.tsx: Number(target.value)',
        'web/features/people/api-keys/key-life.ts: Number(length)',
        'web/features/people/api-keys/longest-life.tsx: Number(value)',
        'web/features/reports/reports-controls.tsx: Number(target.value)',
        'web/features/software/software.form.ts: Number(type)',
      ],
      'Texts that the console wrote itself': [
        'web/components/frame/code.tsx: Number(time)',
        "web/components/palette/recent-records.ts: Number(opened.split('/')[1])",
        'web/features/settings/reminders.form.ts: Number(day)',
        'web/features/reports/period.ts: Number(day.slice(0, 4))',
        'web/features/reports/period.ts: Number(day.slice(5, 7))',
      ],
      'Answers of the server, headers, tokens and styles': [
        'web/api/answer.ts: Number(retryAfter)',
        'web/api/list-page.ts: Number(value)',
        'web/text/format.ts: Number(amount)',
        'web/components/mail/mail-frame.tsx: Number.parseFloat(getComputedStyle(body).marginBottom)',
        'web/components/payment/use-charge-form.ts: Number(error.body.payment_request)',
        'web/features/clients/client-licenses.tsx: Number(original_price)',
        'web/features/clients/client-licenses.tsx: Number(price)',
        'web/features/clients/client-licenses.tsx: Number(discount_percentage)',
        'web/features/licenses/read-license.ts: Number(value)',
        'web/features/mail-templates/template-form-values.ts: Number(named)',
        'web/features/reports/report-rows.ts: Number(row[name])',
        'web/features/software/integration/key-check.tsx: Number(claims.sub)',
      ],
      'The parts of a day, which are digits alone': [
        'server/features/imports/read-cell.ts: Number(month)',
        'server/features/imports/read-cell.ts: Number(year)',
      ],
    },
  },
};

const paths = ['web', 'server', 'contract'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/migrations\//.test(path)),
);

describe.each(Object.entries(KINDS))('%s', (_name, { reader, doors, readings, allowed }) => {
  const reading = paths
    .filter((path) => doors.test(path))
    .flatMap((path) =>
      readings(path, readFileSync(join(ROOT, path), 'utf8')).map((one) => `${path}: ${one}`),
    );

  test(`are read by ${reader} alone, but for what the list names`, () => {
    expect(paths).toContain(reader);
    const known = Object.values(allowed).flat();
    expect(reading.filter((path) => !known.includes(path))).toEqual([]);
    // What is gone leaves the list, so that the list only becomes shorter.
    expect(known.filter((path) => !reading.includes(path))).toEqual([]);
  });
});

test('a field and a door that read numbers by themselves are found (INPUT-01)', () => {
  const sources = [
    'const a = <input type="number" />;',
    'const a = <span role="spinbutton" />;',
    'const a = (text: string) => Number(text);',
    'const a = Number.parseFloat(b); const c = parseInt(b, 10);',
    'const a = event.target.valueAsNumber;',
    'const a = +text;',
  ];
  expect(sources.map((source) => numbersRead('web/a.tsx', source).length)).toEqual([1, 1, 1, 2, 1, 1]);
  expect(
    numbersRead('web/a.tsx', "const a = Number.isNaN(b) || b + 1; const c = <i type='text' />;"),
  ).toEqual([]);
});
