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

/** Patterns of days in digits; in an import also calls that make a moment of a text. */
function daysRead(path: string, source: string): string[] {
  const found: string[] = [];
  new Visitor({
    Literal: (node) => {
      const pattern = 'regex' in node ? node.regex.pattern : '';
      if (/\\d\{(?:1,2|2)\}/.test(pattern) && /\\d\{(?:2,)?4\}/.test(pattern)) found.push(`/${pattern}/`);
    },
    CallExpression: ({ callee, start, end }) => {
      const text = source.slice(callee.start, callee.end);
      // The console makes moments of what the server answers.
      if (text === 'Date.parse' && path.startsWith('server/')) found.push(source.slice(start, end));
    },
  }).visit(parseSync(path, source).program);
  return found;
}

/** What reads a telephone: the library, the specification's rule, a country code, a text of digits alone. */
const PHONE_READINGS =
  /'libphonenumber[^']*'|PHONE_PATTERN(?=\.)|startsWith\('\+\d+'\)|replace\(\/\\D\/g[^)]*\)/g;

/** What reads a mail address: its form, its parts, the form in which it is compared. */
const MAIL_READINGS =
  /z\.email\(|includes\('@'\)|split\((?:'@'|\/\[@[^)]*)|(?:\bemail|[mM]ail|\baddress)(?:\.trim\(\))?\.toLowerCase\(\)/g;

/** What makes one text of several that look alike: Unicode's forms, and marks of direction that are taken out. */
const FORM_READINGS = /normalize\('NF\w+'\)|\\u202a|\\p\{Cf\}/g;

const found = (readings: RegExp) => (_path: string, source: string) =>
  [...source.matchAll(readings)].map(([reading]) => reading);

const KINDS: Record<string, Kind> = {
  'forms of one text (INPUT-08, INPUT-11, INPUT-13)': {
    reader: 'contract/reading/search-folding.ts',
    doors: /^(?!contract\/reading\/)/,
    readings: found(FORM_READINGS),
    allowed: {
      'Sort keys, words of choices and headers (D053)': [
        "contract/base/text.ts: normalize('NFC')",
        "contract/base/text.ts: normalize('NFD')",
      ],
      'A tax id and a user name, each with a form of its own': [
        "contract/clients/tax-ids.ts: normalize('NFC')",
        "contract/people/auth.ts: normalize('NFKC')",
        "server/features/people/sign-in/auth.queries.ts: normalize('NFKC')",
      ],
      'Somebody else’s account number or address in a template, however it is written': [
        'server/features/mail-templates/foreign-parts.ts: \\p{Cf}',
        "server/features/mail-templates/foreign-parts.ts: normalize('NFKC')",
      ],
    },
  },
  'telephones (INPUT-02)': {
    reader: 'contract/reading/phones.ts',
    doors: /^(?!contract\/reading\/)/,
    readings: found(PHONE_READINGS),
    allowed: {
      "Whether the specification's rule takes a phone (D047), which the form says before it sends it": [
        'web/components/client/client-line.ts: PHONE_PATTERN',
        'web/components/client/field-offers.tsx: PHONE_PATTERN',
        'web/features/clients/client-offers.ts: PHONE_PATTERN',
      ],
      'Which tax data the portal asks for, by the country of a stored number': [
        "web/portal/my-data.tsx: startsWith('+54')",
        "web/portal/my-data.tsx: startsWith('+52')",
      ],
      'A stored number in the address of a chat, accounts in a mail, the code of a mail': [
        "contract/clients/whatsapp.ts: replace(/\\D/g, '')",
        "server/features/mail-templates/foreign-parts.ts: replace(/\\D/g, '')",
        "web/portal/sign-in.tsx: replace(/\\D/g, '')",
      ],
    },
  },
  'mail addresses (INPUT-14)': {
    reader: 'contract/reading/mail-addresses.ts',
    doors: /^(?!contract\/reading\/)/,
    readings: found(MAIL_READINGS),
    allowed: {
      'Which column or word may be an address, before it is read': [
        "contract/licenses/licenses.file.ts: includes('@')",
        "contract/licenses/licenses.file.ts: includes('@')",
        "web/components/client/client-line.ts: includes('@')",
      ],
      'The name before the @, for a user name and against passwords that hold it': [
        "server/features/people/account/set-password.ts: split('@'",
        'contract/people/username.ts: email.trim().toLowerCase()',
        "contract/people/username.ts: split('@'",
      ],
    },
  },
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
        'web/components/charge/use-charge-form.ts: Number(type)',
        "web/components/record/use-record-ahead.ts: Number(reached.closest('[data-row-key]')?.getAttribute('data-row-key'))",
        'web/components/license/actions/renew.tsx: Number(terms.license_type_config)',
        'web/features/licenses/licenses-form.tsx: Number(software)',
        'web/features/licenses/licenses-form.tsx: Number(type)',
        'web/features/licenses/licenses.form.tsx: Number(typed)',
        'web/components/license/release-machine-dialog.tsx: Number(id)',
        'web/features/mail-templates/template-preview.tsx: Number(target.value)',
        'web/features/people/api-keys/key-life.ts: Number(length)',
        'web/features/people/api-keys/longest-life.tsx: Number(value)',
        'web/features/reports/reports-controls.tsx: Number(target.value)',
        'web/features/software/software.form.ts: Number(type)',
      ],
      'Texts that the console wrote itself': [
        'web/components/screen/code.tsx: Number(time)',
        "web/components/palette/recent-records.ts: Number(opened.split('/')[1])",
        'web/features/settings/reminders.form.ts: Number(day)',
        'web/features/reports/period.ts: Number(day.slice(0, 4))',
        'web/features/reports/period.ts: Number(day.slice(5, 7))',
      ],
      'Rows and columns of corrected cells, by which they are stored': [
        'server/features/imports/corrected-cells.ts: Number(number)',
        'server/features/imports/imports.queries.ts: Number(place)',
        'server/features/imports/imports.queries.ts: Number(place)',
      ],
      'Answers of the server, headers, tokens and styles': [
        'web/api/answer.ts: Number(retryAfter)',
        'web/api/list-page.ts: Number(value)',
        'web/text/format.ts: Number(amount)',
        'web/components/mail/mail-frame.tsx: Number.parseFloat(getComputedStyle(body).marginBottom)',
        'web/components/charge/use-charge-form.ts: Number(error.body.payment_request)',
        'web/features/clients/client-licenses.tsx: Number(original_price)',
        'web/features/clients/client-licenses.tsx: Number(price)',
        'web/features/clients/client-licenses.tsx: Number(discount_percentage)',
        'web/components/license/read-license.ts: Number(value)',
        'web/features/mail-templates/template-form-values.ts: Number(named)',
        'web/features/reports/report-rows.ts: Number((row as Record<string, unknown>)[id])',
        'web/features/reports/table-and-chart.ts: Number(value)',
        'web/features/reports/table-and-chart.ts: Number(value(row, report))',
        'web/features/software/integration/key-check.tsx: Number(claims.sub)',
      ],
    },
  },
  'numbers in an address and in the environment (decision 176)': {
    reader: 'contract/reading/whole-numbers.ts',
    doors: /^(?:server|contract)\//,
    readings: found(/\bcoerce\b[^;)]*/g),
    allowed: {},
  },
  'days (INPUT-05)': {
    reader: 'contract/reading/days.ts',
    doors: /^web\/|^server\/features\/imports\//,
    readings: daysRead,
    allowed: {
      'Days in an address and in answers, in the form of ISO 8601': [
        'web/search-fields.ts: /^\\d{4}-\\d{2}-\\d{2}$/',
        'web/text/format.ts: /^(\\d{4})-(\\d{2})-(\\d{2})$/',
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

test.each([
  [PHONE_READINGS, "import { parsePhoneNumber } from 'libphonenumber-js';", 1],
  [PHONE_READINGS, "PHONE_PATTERN.test(a) || a.startsWith('+52') || a.replace(/\\D/g, '')", 3],
  [PHONE_READINGS, 'const href = link(phone);', 0],
  [MAIL_READINGS, "z.email(); email.trim().toLowerCase(); a.split('@'); b.includes('@')", 4],
  [MAIL_READINGS, 'mailKey(email); name.toLowerCase()', 0],
])(
  'a door that reads phones or mail addresses by itself is found: %s in %s (INPUT-02, INPUT-14)',
  (readings, source, count) => {
    expect(found(readings)('web/a.ts', source)).toHaveLength(count);
  },
);
