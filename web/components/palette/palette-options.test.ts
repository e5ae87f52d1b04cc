import { Circle } from 'lucide-react';
import { describe, expect, test } from 'vitest';
import { fitsAction, listOptions, type PaletteAction, type PaletteOption } from './palette-options.ts';

const option = (id: string): PaletteOption => ({
  id,
  title: id,
  icon: Circle,
  run: () => {},
});
const action = (title: string, group: PaletteAction['group'], words = ''): PaletteAction => ({
  ...option(title),
  group,
  words,
});

const ACTIONS = [
  action('Nueva licencia', 'create', 'crear emitir'),
  action('Nuevo cliente', 'create', 'crear'),
  action('Ir a Clientes', 'go'),
  action('Cerrar sesión', 'other', 'salir'),
];
const list = (text: string, records: string[] = []) =>
  listOptions({
    text,
    recent: [option('reciente')],
    records: [{ key: 'clients', options: records.map(option) }],
    actions: ACTIONS,
  }).map(({ key, options }) => [key, options.map(({ id }) => id)]);

describe('the options of the palette (FIND-02)', () => {
  test('without a text are the recent records and every action', () => {
    expect(list(' ')).toEqual([
      ['recent', ['reciente']],
      ['create', ['Nueva licencia', 'Nuevo cliente']],
      ['go', ['Ir a Clientes']],
      ['other', ['Cerrar sesión']],
    ]);
  });

  test('of a text are the records, then the actions that fit', () => {
    expect(list('cli', ['Clínica Sur'])).toEqual([
      ['clients', ['Clínica Sur']],
      ['create', ['Nuevo cliente']],
      ['go', ['Ir a Clientes']],
    ]);
    expect(list('xyz')).toEqual([]);
  });

  test('begin with the action that the text spells', () => {
    expect(list('NUEVO CLI', ['Nuevo Cliente S.A.'])).toEqual([
      ['create', ['Nuevo cliente']],
      ['clients', ['Nuevo Cliente S.A.']],
    ]);
  });
});

test.each([
  ['sesion', true],
  ['cerr ses', true],
  ['salir', true],
  ['erra', false],
  ['cerrar tema', false],
])('"%s" finds "Cerrar sesión" by the beginnings of its words: %s', (text, found) => {
  expect(fitsAction({ title: 'Cerrar sesión', words: 'salir' }, text)).toBe(found);
});
