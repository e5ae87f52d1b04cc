import { expect, test } from 'vitest';
import { isNetworkError, networkError } from './api-error.ts';

test.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  '%s means that the server could not be reached (SEED-8.1-04)',
  (text) => {
    expect(networkError(new TypeError(text), true).message).toBe(
      'Network error: No se pudo conectar con el servidor',
    );
  },
);

test('being offline means that the server could not be reached, whatever error the browser throws (SEED-8.1-04)', () => {
  expect(networkError(new Error('x'), false).message).toBe(
    'Network error: No se pudo conectar con el servidor',
  );
});

test('an aborted request is reported as cancelled (SEED-8.1-05)', () => {
  const abort = new DOMException('The operation was aborted.', 'AbortError');
  expect(networkError(abort, true).message).toBe('Network error: La solicitud fue cancelada');
});

test.each([new TypeError('terminated'), new SyntaxError('Unexpected token')])(
  '%s means a broken connection (SEED-8.1-06)',
  (cause) => {
    expect(networkError(cause, true).message).toBe('Network error: Error de conexión con el servidor');
  },
);

test.each([new DOMException('slow', 'TimeoutError'), 'text', null])(
  '%s means an unknown connection error (SEED-8.1-07)',
  (cause) => {
    expect(networkError(cause, true).message).toBe('Network error: Error de conexión');
  },
);

test('a network error is recognised by its code', () => {
  expect(isNetworkError(networkError(new TypeError('Load failed'), true))).toBe(true);
  expect(isNetworkError(new Error('Network error'))).toBe(false);
});
