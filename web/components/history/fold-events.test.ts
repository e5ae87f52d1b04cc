import { expect, test } from 'vitest';
import type { Event } from '../../../contract/system/events.ts';
import { foldEvents } from './fold-events.ts';

let id = 0;
const event = (values: Partial<Event> = {}): Event => ({
  id: ++id,
  at: '2026-11-22T18:00:00.000Z',
  type: 'user.signed_in',
  actor: { kind: 'user', id: 1, name: 'Ana' },
  subject: { kind: 'user', id: 1, name: 'Ana' },
  client: null,
  license: null,
  changes: {},
  reason: null,
  ip: null,
  request_id: null,
  ...values,
});
const lengths = (events: Event[]) =>
  foldEvents(events, ({ type, actor, subject }) => `${actor.name} ${type} ${subject.name}`).map(
    (line) => line.length,
  );

test('three or more equal lines in a row are grouped into one', () => {
  expect(lengths([event(), event(), event(), event()])).toEqual([4]);
  expect(lengths([event(), event()])).toEqual([1, 1]);
  expect(lengths([])).toEqual([]);
});

test('another person, record, type or reason starts a new group', () => {
  const other = { actor: { kind: 'user', id: 2, name: 'Ana' } } as const;
  expect(lengths([event(), event(), event(other), event(), event()])).toEqual([1, 1, 1, 1, 1]);
  expect(lengths([event(), event(), event(), event({ reason: 'Porque sí' })])).toEqual([3, 1]);
  expect(
    lengths([event({ subject: { kind: 'user', id: 9, name: 'Ana' } }), event(), event(), event()]),
  ).toEqual([1, 3]);
});

test('the groups contain all events in their order', () => {
  const all = [event(), event(), event(), event({ type: 'user.joined' })];
  expect(foldEvents(all, ({ type }) => type).flat()).toEqual(all);
});
