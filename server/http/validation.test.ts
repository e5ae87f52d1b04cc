import { expect, test } from 'vitest';
import { z } from 'zod';
import { coded } from '../../contract/base/field-errors.ts';
import { faultsIn } from './validation.ts';

test.each<[what: string, schema: z.ZodType, input: unknown, code: string]>([
  ['a value that is missing', z.string(), undefined, 'required'],
  ['null', z.string(), null, 'required'],
  ['a choice left blank', z.enum(['a']), ' ', 'required'],
  ['a form left blank', z.string().regex(/a/), '', 'required'],
  ['a missing one of several types', z.union([z.string(), z.number()]), undefined, 'required'],
  ['a blank text', z.string().trim().min(1), '  ', 'required'],
  ['an empty list', z.array(z.string()).min(1), [], 'required'],
  ['another type', z.string(), 7, 'invalid'],
  ['a choice that is not listed', z.enum(['a']), 'b', 'invalid'],
  ['another form', z.email(), 'x', 'invalid'],
  ['none of several types', z.union([z.string(), z.number()]), true, 'invalid'],
  ['a number that is not whole', z.int(), 1.5, 'invalid'],
  ['a number of another step', z.number().multipleOf(5), 7, 'invalid'],
  ['a wrong name in a record', z.record(z.string().regex(/^a$/), z.string()), { b: '' }, 'invalid'],
  ['a wrong element of a map', z.map(z.any(), z.string()), new Map([[{}, 7]]), 'invalid'],
  ['a short text', z.string().min(3), 'a', 'too_short'],
  ['a long text', z.string().max(3), 'abcd', 'too_long'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'too_long'],
  ['a small number', z.number().min(1), 0, 'out_of_range'],
  ['a large number', z.int().max(1), 2, 'out_of_range'],
  ['a key of a closed object', z.strictObject({}), { a: 1 }, 'unknown_field'],
  ['a rule', z.string().refine(() => false), 'x', 'invalid'],
  ['a rule with a code', z.string().refine(() => false, coded('taken', 'x')), 'x', 'taken'],
])('an error of %s has the right code', (_what, schema, value, code) => {
  const input = { field: value };
  const { error } = z.object({ field: schema }).safeParse(input);
  expect(faultsIn(error!.issues, input)).toEqual({ field: [{ code, message: expect.any(String) }] });
});

test('two errors of a field with the same text are reported once, with the code of the first', () => {
  const schema = z.object({ field: z.string().min(3, 'x').regex(/^b/, 'x').max(0, 'y') });
  const input = { field: 'a' };
  expect(faultsIn(schema.safeParse(input).error!.issues, input)).toEqual({
    field: [
      { code: 'too_short', message: 'x' },
      { code: 'too_long', message: 'y' },
    ],
  });
});
