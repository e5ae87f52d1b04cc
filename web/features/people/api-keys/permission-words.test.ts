import { expect, test } from 'vitest';
import { permissionWords } from './permission-words.ts';

test('the permissions of a key are listed by kind of record, then one by one (PEOPLE-07)', () => {
  expect(permissionWords(['mails:send', 'clients:write', 'clients:read', 'licenses:delete'])).toEqual([
    'Clientes: ver, crear y editar',
    'Licencias: eliminar',
    'Enviar correos',
  ]);
});
