import { expect, test } from 'vitest';
import { z } from 'zod';
import { reference } from '../../contract/base/numbers.ts';
import { asksForStrictness } from './strict.ts';
import { unknownFields } from './unknown-fields.ts';

const action = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('renew'), days: z.number() }),
    z.object({ action: z.literal('move'), to: z.object({ id: z.number() }) }),
  ])
  .refine(() => true)
  .optional();

const schema = z.object({
  name: z.string().trim().transform(Number).prefault(''),
  client: reference('x'),
  lines: z.array(z.object({ price: z.number() }).nullable()).default([]),
  features: z.record(z.string(), z.union([z.string(), z.object({ value: z.string() })])),
  closed: z.strictObject({}),
  open: z.object({ a: z.string() }).loose(),
  nested: z.object({ deep: z.object({ a: z.string() }).optional() }).prefault({}),
  action,
});

test.each<[what: string, input: unknown, paths: string[]]>([
  ['nothing unknown', { name: 'a', client: 1, lines: [{ price: 1 }, null], features: { a: 'b' } }, []],
  ['a name in another case', { Name: 'a' }, ['Name']],
  ['several, in their order', { b: 1, name: 'a', a: 2 }, ['b', 'a']],
  ['one in a list', { lines: [{ price: 1 }, null, { prize: 1 }] }, ['lines.2.prize']],
  [
    'one in the values of a record',
    { features: { a: 'b', b: { value: '', vlaue: '' } } },
    ['features.b.vlaue'],
  ],
  ['one further inside', { nested: { deep: { a: '', b: '' }, flat: 1 } }, ['nested.deep.b', 'nested.flat']],
  ['the record that a reference came from', { client: { id: 1, name: 'Ana' } }, []],
  [
    'one of another form, though a field is wrong',
    { action: { action: 'renew', days: 'x', to: 1 } },
    ['action.to'],
  ],
  ['one inside of a form', { action: { action: 'move', to: { id: 1, ip: 2 } } }, ['action.to.ip']],
  ['no known form, which validation refuses', { action: { action: 'sing', to: 1 } }, []],
  ['an object that refuses or takes any field itself', { closed: { a: 1 }, open: { b: 1 } }, []],
  ['values of other types', { lines: 'x', features: [], nested: null, action: [] }, []],
  ['no object', [{ a: 1 }], []],
  ['nothing', undefined, []],
  ['names of the prototype', JSON.parse('{"toString": 1, "__proto__": 2}'), ['toString', '__proto__']],
])('finds the unknown fields of %s (API-05)', (_what, input, paths) => {
  expect(unknownFields(schema, input).map((path) => path.join('.'))).toEqual(paths);
});

test.each<[header: string, isStrict: boolean]>([
  ['handling=strict', true],
  ['Handling = "Strict"', true],
  ['respond-async, wait=10, handling=strict; foo="a,b"', true],
  ['return=minimal; foo="handling=lenient, x", handling=strict', true],
  ['handling=lenient, handling=strict', false],
  ['handling=lenient', false],
  ['handling', false],
  ['handling=', false],
  ['handling=stricter', false],
  ['no-handling=strict', false],
  ['foo="a, handling=strict"', false],
  ['foo; handling=strict', false],
  ['"', false],
  ['', false],
])('reads the header Prefer: %s (API-05, RFC 7240)', (header, isStrict) => {
  expect(asksForStrictness(header)).toBe(isStrict);
});
