import { expect, test } from 'vitest';
import { safeReturnPath } from './paths.ts';

test.each([
  ['/clients?q=ana', '/clients?q=ana'],
  ['/login', null],
  ['/login?x=1', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/\t/evil.example', null],
  ['/\n//evil.example', null],
  ['/./\\evil.example', null],
  ['javascript:alert(1)', null],
  ['/restablecer', null],
  ['/invitacion?x=1', null],
  ['/olvide-mi-contrasena', null],
  ['https://evil.example', null],
  [undefined, null],
])('the return path of %s is %s (D004)', (path, expected) => {
  expect(safeReturnPath(path)).toBe(expected);
});
