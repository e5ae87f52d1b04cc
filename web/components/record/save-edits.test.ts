import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { Merge } from './merge-edits.ts';
import { saveEdits } from './save-edits.ts';

const blank = { name: 'Ana', city: 'Puebla', phone: '+5255' };
type Values = typeof blank;
type Saved = Values & { id: number; updated_at: string };

const stored = (version: number, values: Partial<Values> = {}): Saved => ({
  ...blank,
  ...values,
  id: 7,
  updated_at: `2026-11-29T10:00:0${version}.000Z`,
});
const toForm = ({ name, city, phone }: Saved): Values => ({ name, city, phone });
/** Cholula has no telephone. */
const schema = z
  .object({ name: z.string(), city: z.string(), phone: z.string() })
  .refine(({ city, phone }) => city !== 'Cholula' || phone === '', {
    path: ['phone'],
    message: 'Cholula no tiene teléfono',
  });

const stale = (current: Saved | null) =>
  new ApiError({ status: 412, code: 'stale', message: 'stale', current });
const lost = new ApiError({ status: 0, code: 'network', message: 'Network error' });

/** Saves typed values against a server that answers each call with the next of the given answers. */
async function save(
  typed: Partial<Values>,
  answers: (Saved | Error)[],
  { base = stored(1), inDoubt = null }: { base?: Saved | null; inDoubt?: Values | null } = {},
) {
  let form = { ...blank, ...typed };
  const sent: { payload: Values; over: string | null }[] = [];
  const merges: Merge<Values>[] = [];
  const outcome = await saveEdits<Values, Values, Saved>(
    { base, payload: form, sent: form, inDoubt },
    {
      send: async (payload, over) => {
        sent.push({ payload, over: over?.updated_at ?? null });
        const answer = answers[sent.length - 1]!;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      typed: () => form,
      toForm,
      rules: undefined,
      check: (values) => schema['~standard'].validate(values),
      onMerge: (merge) => {
        merges.push(merge);
        form = merge.merged;
      },
    },
  );
  return { outcome, sent, merges };
}

describe('saving what was typed', () => {
  it('sends it over the version that the form is based on', async () => {
    const { outcome, sent } = await save({ city: 'Lima' }, [stored(2)]);
    expect(outcome).toEqual({ kind: 'saved', answer: stored(2), inDoubt: null });
    expect(sent).toEqual([{ payload: { ...blank, city: 'Lima' }, over: stored(1).updated_at }]);
  });

  it('creates a record without a version', async () => {
    const { outcome, sent } = await save({}, [stored(1)], { base: null });
    expect(outcome.kind).toBe('saved');
    expect(sent).toEqual([{ payload: blank, over: null }]);
  });

  it.each([
    ['the network', lost],
    ['a refusal', new ApiError({ status: 400, code: 'invalid', message: 'x', fieldErrors: { name: ['x'] } })],
    ['a stale version without the stored record', stale(null)],
  ])('fails by %s, and what was sent is in doubt', async (_title, error) => {
    const { outcome, merges } = await save({ city: 'Lima' }, [error]);
    expect(outcome).toEqual({ kind: 'failed', error, inDoubt: { ...blank, city: 'Lima' } });
    expect(merges).toEqual([]);
  });

  it('a stale version cannot stop a new record', async () => {
    const error = stale(stored(2));
    expect((await save({}, [error], { base: null })).outcome).toMatchObject({ kind: 'failed', error });
  });

  it('nothing is in doubt after a save', async () => {
    const { outcome } = await save({}, [stored(2)], { inDoubt: { ...blank, city: 'Lima' } });
    expect(outcome.inDoubt).toBeNull();
  });
});

describe('saving after another person (D091)', () => {
  it('sends both changes over the newer version', async () => {
    const theirs = stored(2, { phone: '+5281' });
    const { outcome, sent, merges } = await save({ city: 'Lima' }, [stale(theirs), stored(3)]);
    expect(outcome.kind).toBe('saved');
    expect(sent[1]).toEqual({
      payload: { ...blank, city: 'Lima', phone: '+5281' },
      over: theirs.updated_at,
    });
    expect(merges).toMatchObject([{ taken: ['phone'], conflicts: [], isOwn: false }]);
  });

  it('asks about a field that both changed, and sends nothing more', async () => {
    const error = stale(stored(2, { city: 'Cusco' }));
    const { outcome, sent, merges } = await save({ city: 'Lima' }, [error]);
    expect(outcome).toEqual({ kind: 'asks', error, inDoubt: null });
    expect(sent).toHaveLength(1);
    expect(merges[0]!.conflicts).toEqual([{ field: 'city', fields: ['city'] }]);
  });

  it('answers with the issues of two changes that do not fit', async () => {
    const { outcome, sent } = await save({ city: 'Cholula', phone: '' }, [
      stale(stored(2, { name: 'Eva' })),
      stale(stored(3, { name: 'Eva', phone: '' })),
      stale(stored(4, { name: 'Eva', phone: '+5281' })),
    ]);
    expect(outcome).toMatchObject({ kind: 'issues', issues: [{ path: ['phone'] }] });
    expect(sent).toHaveLength(3);
  });

  it('stops at the fourth newer version, with the last merge in the form', async () => {
    const names = ['Eva', 'Eva M.', 'Eva Mar', 'Eva María'];
    const answers = names.map((name, place) => stale(stored(place + 2, { name })));
    const { outcome, sent, merges } = await save({ city: 'Lima' }, answers);
    expect(outcome).toEqual({ kind: 'failed', error: answers[3], inDoubt: null });
    expect(sent).toHaveLength(4);
    expect(merges.at(-1)!.merged).toEqual({ ...blank, city: 'Lima', name: 'Eva María' });
  });

  it('a network failure after a merge leaves the merged values in doubt', async () => {
    const { outcome } = await save({ city: 'Lima' }, [stale(stored(2, { name: 'Eva' })), lost]);
    expect(outcome).toEqual({
      kind: 'failed',
      error: lost,
      inDoubt: { ...blank, name: 'Eva', city: 'Lima' },
    });
  });

  it('values that were stored without an answer are not another person’s change', async () => {
    const inDoubt = { ...blank, city: 'Lima' };
    const { outcome, merges } = await save({ city: 'Cusco' }, [stale(stored(2, inDoubt)), stored(3)], {
      inDoubt,
    });
    expect(outcome.kind).toBe('saved');
    expect(merges).toMatchObject([{ isOwn: true, conflicts: [], merged: { city: 'Cusco' } }]);
  });

  it('values in doubt that another person changed again are asked about', async () => {
    const inDoubt = { ...blank, city: 'Lima' };
    const { outcome, merges } = await save({ city: 'Lima' }, [stale(stored(2, { city: 'Cusco' }))], {
      inDoubt,
    });
    expect(outcome).toMatchObject({ kind: 'asks', inDoubt: null });
    expect(merges).toMatchObject([{ isOwn: false }]);
  });
});
