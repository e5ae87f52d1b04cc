import { describe, expect, test } from 'vitest';
import { answerError, queryString, readFieldErrors, unwrap } from './answer.ts';

const failed = (status: number, body: unknown, extra = {}) =>
  answerError({ status, body, retryAfter: null, ...extra });

describe('unwrap', () => {
  test('returns data of {success, data} (SEED-7-04)', () => {
    expect(unwrap({ success: true, data: { id: 1 } })).toEqual({ id: 1 });
  });
  test('returns an answer unchanged that has only one of the two keys (D089)', () => {
    const signedIn = { success: true, token: 't' };
    expect(unwrap(signedIn)).toBe(signedIn);
    expect(unwrap({ data: 1 })).toEqual({ data: 1 });
  });
  test.each([null, undefined, 3, 'text', [1, 2]])('returns %j unchanged', (value) => {
    expect(unwrap(value)).toBe(value);
  });
});

describe('answerError', () => {
  test('uses the message of the answer (SEED-8.1-02)', () => {
    expect(failed(500, { message: 'Error en el servidor' }).message).toBe('Error en el servidor');
  });
  test.each([undefined, {}, { message: '' }, { message: 7 }, '<html>'])(
    'uses HTTP {status} for %j (SEED-8.1-03)',
    (body) => {
      expect(failed(502, body).message).toBe('HTTP 502');
    },
  );
  test('uses Unauthorized for every 401 (SEED-8.1-01)', () => {
    expect(failed(401, { message: 'Token vencido' }).message).toBe('Unauthorized');
  });
  test('uses the known message of a 401 at sign-in, and no other message (D003)', () => {
    const allow401 = ['Contraseña incorrecta'];
    expect(failed(401, { message: 'Contraseña incorrecta' }, { allow401 }).message).toBe(
      'Contraseña incorrecta',
    );
    expect(failed(401, { message: 'Otra cosa' }, { allow401 }).message).toBe('Unauthorized');
  });
  test('contains code, field errors, the current record and Retry-After', () => {
    const error = answerError({
      status: 412,
      body: { code: 'stale', message: 'm', errors: { name: ['a', 'b'] }, current: { id: 1 } },
      retryAfter: '90',
    });
    expect(error).toMatchObject({
      status: 412,
      code: 'stale',
      fieldErrors: { name: ['a', 'b'] },
      current: { id: 1 },
      retryAfter: 90,
    });
  });
});

test('field errors may be a list or a single text, and other values are ignored', () => {
  expect(readFieldErrors({ name: ['a'], email: 'b', x: 3, y: [] })).toEqual({ name: ['a'], email: ['b'] });
});

test('empty values are left out of a query, false and 0 are not (SEED-7.2-02, SEED-7.3-02, SEED-7.4-02)', () => {
  const query = { page: 1, search: '  ', status: '', type: undefined, x: null, is_active: false, zero: 0 };
  expect(queryString(query)).toBe('?page=1&is_active=false&zero=0');
  expect(queryString({ search: '' })).toBe('');
  expect(queryString({ type: ['a.b', 'c.d'], none: [] })).toBe('?type=a.b&type=c.d');
  expect(queryString({ search: 'año & más' })).toBe('?search=a%C3%B1o+%26+m%C3%A1s');
});
