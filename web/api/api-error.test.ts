import { expect, test } from 'vitest';
import { isNetworkError, networkError } from './api-error.ts';

test.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  'SEED-8.1-04 %s means that the server could not be reached',
  (text) => {
    expect(networkError(new TypeError(text), true).message).toBe(
      'Network error: No se pudo conectar con el servidor',
    );
  },
);

test('SEED-8.1-04 offline is out of reach, whatever the browser says of the failure', () => {
  expect(networkError(new Error('x'), false).message).toBe(
    'Network error: No se pudo conectar con el servidor',
  );
});

test('SEED-8.1-05 an aborted request was cancelled', () => {
  const abort = new DOMException('The operation was aborted.', 'AbortError');
  expect(networkError(abort, true).message).toBe('Network error: La solicitud fue cancelada');
});

test.each([new TypeError('terminated'), new SyntaxError('Unexpected token')])(
  'SEED-8.1-06 %s is a broken connection',
  (cause) => {
    expect(networkError(cause, true).message).toBe('Network error: Error de conexión con el servidor');
  },
);

test.each([new DOMException('slow', 'TimeoutError'), 'text', null])(
  'SEED-8.1-07 %s is a connection error of unknown kind',
  (cause) => {
    expect(networkError(cause, true).message).toBe('Network error: Error de conexión');
  },
);

test('a network error is known by its code', () => {
  expect(isNetworkError(networkError(new TypeError('Load failed'), true))).toBe(true);
  expect(isNetworkError(new Error('Network error'))).toBe(false);
});
