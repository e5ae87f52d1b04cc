import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../contract/people/permissions.ts';
import { missingRights, subscribes, WEBHOOK_WILDCARDS } from '../../../contract/system/webhooks.ts';
import {
  kindsFor,
  readTypes,
  refusedTypes,
  tickKind,
  tickType,
  typesInWords,
  typesOfKind,
  wildcardOf,
  writeTypes,
} from './webhook-types.ts';

describe('the event types of a webhook (HOOK-01)', () => {
  test('selecting a whole kind replaces its single types, and back', () => {
    const single = tickType(tickType([], 'license.issued', true), 'client.created', true);
    expect(writeTypes(single)).toBe('client.created,license.issued');
    const whole = tickKind(single, 'license', true);
    expect(writeTypes(whole)).toBe('license.*,client.created');
    expect(writeTypes(tickKind(whole, 'license', false))).toBe('client.created');
  });

  test('removing one type of a selected kind leaves the other types selected', () => {
    const some = tickType(['software.*', 'client.created'], 'software.deleted', false);
    expect(writeTypes(some)).toBe('client.created,software.created,software.updated');
    for (const type of typesOfKind('software')) {
      expect(subscribes(some, type), type).toBe(type !== 'software.deleted');
    }
  });

  test('are shown as words, or as a number when they are many', () => {
    expect(typesInWords(['*'])).toEqual(['Todos los eventos']);
    expect(typesInWords(['license.*', 'client.created'])).toEqual(['Licencias: todos', 'Cliente creado']);
    const six = typesOfKind('license').slice(0, 6);
    expect(typesInWords(six)).toEqual([...typesInWords(six.slice(0, 3)), '3 más']);
    expect(typesInWords(typesOfKind('software'))).toHaveLength(3);
  });

  test('only kinds that the person may read are offered, and types chosen by others are still listed', () => {
    const some = new Set<Permission>(['clients:read', 'licenses:read', 'mails:read']);
    const may = (name: Permission) => some.has(name);
    expect(kindsFor(may).sort()).toEqual(['client', 'installation', 'license', 'mail', 'note']);
    expect(refusedTypes(['license.*', 'client.created', 'user.*', 'software.deleted'], may)).toEqual([
      'user.*',
      'software.deleted',
    ]);
    expect(refusedTypes(['*'], may)).toEqual(['*']);
    const admin = () => true;
    expect(kindsFor(admin)).toHaveLength(WEBHOOK_WILDCARDS.length);
    expect(refusedTypes(['*', 'user.*'], admin)).toEqual([]);
    // The server must accept every event that the form offers.
    for (const kind of kindsFor(may)) expect(missingRights([wildcardOf(kind)], some)).toEqual([]);
  });

  test('an empty text means no types', () => {
    expect(readTypes('')).toEqual([]);
    expect(writeTypes([])).toBe('');
  });
});
