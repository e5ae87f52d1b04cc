import { Circle } from 'lucide-react';
import { describe, expect, test } from 'vitest';
import {
  firstLine,
  fitsAction,
  listOptions,
  type PaletteAction,
  type PaletteGroup,
  type PaletteOption,
  verbNamed,
} from './palette-options.ts';

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
  test('are the recent records and every action when the text is empty', () => {
    expect(list(' ')).toEqual([
      ['recent', ['reciente']],
      ['create', ['Nueva licencia', 'Nuevo cliente']],
      ['go', ['Ir a Clientes']],
      ['other', ['Cerrar sesión']],
    ]);
  });

  test('are the matching actions, then the records, which arrive later', () => {
    expect(list('cli', ['Clínica Sur'])).toEqual([
      ['create', ['Nuevo cliente']],
      ['go', ['Ir a Clientes']],
      ['clients', ['Clínica Sur']],
    ]);
    expect(list('xyz')).toEqual([]);
  });

  test('are the records and then the matching actions for a text of two letters', () => {
    expect(list('cl', ['Clínica Sur'])).toEqual([
      ['clients', ['Clínica Sur']],
      ['create', ['Nuevo cliente']],
      ['go', ['Ir a Clientes']],
    ]);
  });

  test('contain each line and each heading only once', () => {
    const renewal = { ...action('Renovar ABC', 'renew', 'Ana'), byVerb: true };
    const groups = listOptions({
      text: 'renovar ana',
      recent: [],
      records: [{ key: 'renew', options: [option('Renovar ABC'), option('Renovar DEF')] }],
      actions: [renewal],
    });
    const listed = groups.map(({ key, options }) => [key, options.map(({ id }) => id)]);
    expect(listed).toEqual([['renew', ['Renovar ABC', 'Renovar DEF']]]);
  });
});

describe('the option that Enter chooses (FIND-02)', () => {
  const first = (text: string, pending: boolean, names: string[]) => {
    const records: PaletteGroup[] = [{ key: 'clients', options: names.map(option) }];
    const groups = listOptions({ text, recent: [], records, actions: ACTIONS });
    return firstLine(groups, { text, pending, records })?.id;
  };

  test('is the same action before and after the answer arrives', () => {
    expect(first('sesi', true, [])).toBe('Cerrar sesión');
    expect(first('sesi', true, ['Sesiones de Foto'])).toBe('Cerrar sesión');
    expect(first('sesi', false, ['Sesiones de Foto'])).toBe('Cerrar sesión');
  });

  test('is a record only when the answer is for the current text', () => {
    expect(first('clini', true, ['Clínica Sur'])).toBeUndefined();
    expect(first('clini', false, ['Clínica Sur'])).toBe('Clínica Sur');
  });

  test('is not known while records may still be placed before the actions', () => {
    expect(first('cl', true, [])).toBeUndefined();
    expect(first('cl', false, [])).toBe('Nuevo cliente');
  });
});

test.each([
  ['renovar', null],
  ['Renovar  ana ríos ', { verb: 'renew', name: 'ana ríos' }],
  ['renovarana', null],
  ['ana', null],
  ['Cobrar ana', { verb: 'charge', name: 'ana' }],
  ['cobrar a Ana', { verb: 'charge', name: 'a Ana' }],
  ['registrar pago ABCDE', { verb: 'pay', name: 'ABCDE' }],
  ['Registrar  pago', null],
])("the text '%s' asks for %j", (text, named) => {
  expect(verbNamed(text)).toEqual(named);
});

test('a renewal found by typing its verb first is not found by the name of its record alone', () => {
  const renewal = { title: 'Renovar ABC', words: 'Ana Ríos', byVerb: true };
  expect(fitsAction(renewal, 'renov ana')).toBe(true);
  expect(fitsAction(renewal, 'ana')).toBe(false);
});

test.each([
  ['sesion', true],
  ['cerr ses', true],
  ['salir', true],
  ['erra', false],
  ['cerrar tema', false],
])('"%s" finds "Cerrar sesión", because words match by their beginning: %s', (text, found) => {
  expect(fitsAction({ title: 'Cerrar sesión', words: 'salir' }, text)).toBe(found);
});
