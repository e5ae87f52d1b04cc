import { describe, expect, test } from 'vitest';
import { hearsOf } from '../../../contract/webhooks.ts';
import { readTypes, tickKind, tickType, typesInWords, typesOfKind, writeTypes } from './webhook-types.ts';

describe('the events of a webhook (HOOK-01)', () => {
  test('a whole kind takes the place of its single types, and back', () => {
    const single = tickType(tickType([], 'license.issued', true), 'client.created', true);
    expect(writeTypes(single)).toBe('client.created,license.issued');
    const whole = tickKind(single, 'license', true);
    expect(writeTypes(whole)).toBe('license.*,client.created');
    expect(writeTypes(tickKind(whole, 'license', false))).toBe('client.created');
  });

  test('a type that is taken out of a whole kind leaves the others of the kind', () => {
    const some = tickType(['software.*', 'client.created'], 'software.deleted', false);
    expect(writeTypes(some)).toBe('client.created,software.created,software.updated');
    for (const type of typesOfKind('software')) {
      expect(hearsOf(some, type), type).toBe(type !== 'software.deleted');
    }
  });

  test('they are said in words, and counted where they are many', () => {
    expect(typesInWords(['*'])).toEqual(['Todos los eventos']);
    expect(typesInWords(['license.*', 'client.created'])).toEqual(['Licencias: todos', 'Cliente creado']);
    const six = typesOfKind('license').slice(0, 6);
    expect(typesInWords(six)).toEqual([...typesInWords(six.slice(0, 3)), '3 más']);
    expect(typesInWords(typesOfKind('software'))).toHaveLength(3);
  });

  test('an empty text has no types', () => {
    expect(readTypes('')).toEqual([]);
    expect(writeTypes([])).toBe('');
  });
});
