import { expect, test } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { signInNotice } from './sign-in-notice.ts';

const saying = (message: string) => signInNotice(new ApiError({ status: 400, code: '', message }));

test.each([
  ['SEED-8.2-01', 'Usuario no encontrado', 'Usuario no encontrado'],
  ['SEED-8.2-02', 'Contraseña incorrecta', 'Contraseña incorrecta'],
  ['SEED-8.2-03', 'Usuario inactivo', 'Usuario inactivo'],
  ['SEED-8.2-04', 'Username y password son requeridos', 'Datos incompletos'],
  ['SEED-8.2-05', 'Network error: No se pudo conectar con el servidor', 'Error de conexión'],
  ['SEED-8.2-05', 'Failed to fetch', 'Error de conexión'],
  ['SEED-8.2-07', 'Error en el servidor', 'Error del servidor'],
  ['SEED-8.2-08', 'Unauthorized', 'Error de autenticación'],
])('the notification of %s %s has the title %s', (_id, message, title) => {
  expect(saying(message).title).toBe(title);
});

test('a message that contains a known text gets the notification of that text, ignoring case (D032)', () => {
  expect(saying('Lo sentimos: USUARIO NO ENCONTRADO.').kind).toBe('unknownUser');
});

test('any other message is shown unchanged (SEED-8.2-09)', () => {
  expect(saying('Demasiados intentos.')).toEqual({
    kind: 'other',
    title: 'Error de autenticación',
    text: 'Demasiados intentos.',
  });
});
