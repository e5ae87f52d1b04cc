import { describe, expect, it } from 'vitest';
import fc from '../../../test/properties.ts';
import { type MergeRules, mergeEdits } from './merge-edits.ts';

const base = { name: 'Ana', city: 'Puebla', phone: '+5255', notes: '' };

describe("merging two people's edits of one record (D091)", () => {
  it('takes over changes that only one of them made', () => {
    const merge = mergeEdits(base, { ...base, city: 'Cholula' }, { ...base, phone: '+5281', notes: 'Hola' });
    expect(merge).toEqual({
      merged: { name: 'Ana', city: 'Cholula', phone: '+5281', notes: 'Hola' },
      conflicts: [],
      taken: ['phone', 'notes'],
    });
  });

  it('asks only about fields that both changed to different values', () => {
    const merge = mergeEdits(
      base,
      { ...base, city: 'Cholula', notes: 'Igual ' },
      { ...base, city: 'Atlixco', notes: 'Igual', name: 'Ana María' },
    );
    expect(merge.conflicts).toEqual([{ field: 'city', fields: ['city'] }]);
    expect(merge.taken).toEqual(['name']);
    expect(merge.merged).toMatchObject({ city: 'Cholula', name: 'Ana María' });
  });

  it('compares the values as they would be stored, with a given function', () => {
    const rules: MergeRules<{ price: string }> = { comparable: ({ price }) => ({ price: Number(price) }) };
    expect(mergeEdits({ price: '100' }, { price: '150.00' }, { price: '150' }, rules).conflicts).toEqual([]);
    expect(mergeEdits({ price: '100' }, { price: '100.0' }, { price: '150' }, rules)).toEqual({
      merged: { price: '150' },
      conflicts: [],
      taken: ['price'],
    });
  });

  const offer = { on: true, title: 'Verano', percent: '10' };
  const rules: MergeRules<typeof offer> = { switches: { on: ['title', 'percent'] } };

  it('one person changing a switch and the other a field that depends on it is one conflict', () => {
    const off = { ...offer, on: false };
    for (const [mine, theirs] of [
      [off, { ...offer, title: 'Otoño' }],
      [{ ...offer, title: 'Otoño' }, off],
    ] as const) {
      const merge = mergeEdits(offer, mine, theirs, rules);
      expect(merge.conflicts).toEqual([{ field: 'on', fields: ['on', 'title', 'percent'] }]);
      expect(merge.merged).toEqual(mine);
    }
  });

  it('a switch that only one person changed is merged together with its dependent fields', () => {
    const off = { on: false, title: '', percent: '' };
    expect(mergeEdits(offer, offer, off, rules)).toMatchObject({ merged: off, conflicts: [] });
    expect(mergeEdits(offer, off, offer, rules)).toMatchObject({ merged: off, conflicts: [], taken: [] });
  });

  it('dependent fields of an unchanged switch merge one by one', () => {
    const merge = mergeEdits(offer, { ...offer, title: 'Otoño' }, { ...offer, percent: '20' }, rules);
    expect(merge).toMatchObject({
      merged: { on: true, title: 'Otoño', percent: '20' },
      conflicts: [],
      taken: ['percent'],
    });
  });
});

const record = fc.record({ a: fc.string(), b: fc.string(), c: fc.string(), d: fc.boolean() });
const changed = (from: object, to: object) =>
  Object.keys(from).filter((field) => {
    const [one, other] = [from, to].map((side): unknown => Reflect.get(side, field));
    return typeof one === 'string' && typeof other === 'string' ? one.trim() !== other.trim() : one !== other;
  });

it("without overlapping changes, both people's changes are saved (D091)", () => {
  fc.assert(
    fc.property(record, record, record, fc.uniqueArray(fc.nat(3)), (opened, one, two, places) => {
      const fields = ['a', 'b', 'c', 'd'] as const;
      const ownFields = fields.filter((_field, place) => places.includes(place));
      const mine = { ...opened };
      const theirs = { ...opened };
      for (const field of fields) {
        if (ownFields.includes(field)) Object.assign(mine, { [field]: one[field] });
        else Object.assign(theirs, { [field]: two[field] });
      }
      const { merged, conflicts, taken } = mergeEdits(opened, mine, theirs);
      expect(conflicts).toEqual([]);
      expect(taken).toEqual(changed(opened, theirs));
      for (const field of fields) {
        const source = taken.includes(field) ? theirs : mine;
        expect(merged[field]).toBe(source[field]);
      }
    }),
  );
});

it("with overlapping changes each field has my value, the other's, or is asked about (D091)", () => {
  fc.assert(
    fc.property(record, record, record, (opened, mine, theirs) => {
      const { merged, conflicts, taken } = mergeEdits(opened, mine, theirs);
      const asked = conflicts.map(({ field }) => field);
      const overlap = changed(opened, mine).filter((field) => changed(opened, theirs).includes(field));
      const differing = changed(mine, theirs);
      expect(asked).toEqual(overlap.filter((field) => differing.includes(field)));
      for (const field of changed(opened, mine)) {
        expect(Reflect.get(merged, field)).toBe(Reflect.get(mine, field));
      }
      for (const field of changed(opened, theirs)) {
        const isAnswered = asked.some((name) => name === field) || overlap.includes(field);
        expect(isAnswered || taken.some((name) => name === field)).toBe(true);
      }
    }),
  );
});
