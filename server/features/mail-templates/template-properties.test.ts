import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import fc from '../../../test/properties.ts';

/**
 * Any text is either a template that is refused with a line number, or one that renders for every mail of its kind
 * (MAIL-02).
 */

const RUNS = 200;

const NAMES = [
  'client.name',
  'client.company',
  'licenses',
  'count',
  'when',
  'support_email',
  'l.key',
  'l.expired',
];
const WRONG = [
  'precio',
  'client',
  'client.constructor',
  'l',
  'licenses.first',
  '__proto__',
  'when.size',
  'l.key[0]',
];
const LITERALS = ["'texto'", '7', 'nil', 'true', 'empty', '(1..9)', "'sin cerrar", '{{', ''];
const FILTERS = [
  'upcase',
  'downcase',
  "default: 'x'",
  'truncate: 5',
  'append: when',
  'strip',
  'raw',
  'append',
  'xx: 1',
];

const often = <Value>(good: readonly Value[], bad: readonly Value[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );

const value = fc.oneof(
  { weight: 5, arbitrary: often(NAMES, WRONG) },
  { weight: 1, arbitrary: often(LITERALS.slice(0, 5), LITERALS.slice(5)) },
);
const filtered = fc
  .tuple(value, fc.array(often(FILTERS.slice(0, 6), FILTERS.slice(6)), { maxLength: 2 }))
  .map((parts) => parts.flat().join(' | '));
const condition = fc
  .tuple(value, fc.constantFrom('==', '!=', '<', '>=', 'contains', 'and', 'or'), value, fc.boolean())
  .map(([left, operator, right, isLong]) => (isLong ? `${left} ${operator} ${right}` : left));
const markup = fc.constantFrom(
  'Hola\n',
  '\n\n',
  '| a | b\n',
  '- x\n',
  '# T\n',
  '**b**',
  '[x](https://a.example)',
  '{',
  '}}',
  '%}',
);
const end = (name: string) => often([`{% end${name} %}`], ['', `{% end${name}`, '{% endif %}', '{% else %}']);

const { body } = fc.letrec<{ body: string; part: string }>((tie) => ({
  body: fc.array(tie('part'), { maxLength: 4, depthIdentifier: 'body' }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'body' },
    markup,
    filtered.map((text) => `{{ ${text} }}`),
    fc
      .tuple(condition, tie('body'), tie('body'), end('if'))
      .map(([when, yes, no, close]) => `{% if ${when} %}${yes}{% else %}${no}${close}`),
    fc
      .tuple(condition, tie('body'), end('unless'))
      .map(([when, inner, close]) => `{% unless ${when} %}${inner}${close}`),
    fc
      .tuple(value, value, tie('body'), end('case'))
      .map(([of, when, inner, close]) => `{% case ${of} %}{% when ${when} %}${inner}${close}`),
    fc
      .tuple(often(['licenses'], ['client', 'count', '(1..3)']), tie('body'), end('for'))
      .map(([of, inner, close]) => `{% for l in ${of} limit: 3 %}${inner}${close}`),
  ),
}));

test('a random template is either refused with a line, or renders for complete, minimal and real data', {
  tags: ['MAIL-02'],
  timeout: 30_000,
}, async () => {
  const testApp = await createTestApp();
  const client = await createClient(testApp, { name: '{{ x }} {% if %}' });
  const license = (await createLicense(testApp, { client: client.id })).id;
  const url = '/licenses/api/mail-templates/license_reminder/';
  const counts = { refused: 0, stored: 0 };
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const stored = await testApp.call('PUT', url, { body: { subject: 'x', body: text } });
      if (stored.status === 400) {
        counts.refused += 1;
        for (const message of stored.body.errors.body) {
          expect(message).toMatch(/^línea \d+: \S|^El texto es obligatorio$/);
          const line = Number(/\d+/.exec(message)?.[0] ?? 1);
          expect(line).toBeLessThanOrEqual(text.split('\n').length);
        }
        return;
      }
      expect(stored.status).toBe(200);
      counts.stored += 1;
      for (const data of [{}, { license }]) {
        const answer = await testApp.call('POST', `${url}preview/`, { body: data });
        expect(answer.status).toBe(200);
        expect(answer.body.html).toContain('</body></html>');
      }
    }),
    { numRuns: RUNS },
  );
  // The random texts are only useful if both outcomes occur often.
  expect(Math.min(counts.refused, counts.stored)).toBeGreaterThan(RUNS / 8);
});
