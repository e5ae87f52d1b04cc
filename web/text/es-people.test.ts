import { expect, test } from 'vitest';
import { PERMISSIONS, ROLES } from '../../contract/people/permissions.ts';
import { PERMISSION_LABELS, ROLE_HELP } from './es-people.ts';

test('every permission and every role has a separate explanation (PEOPLE-02, PEOPLE-07)', () => {
  const labels: Record<string, string> = PERMISSION_LABELS;
  expect(PERMISSIONS.filter((name) => !labels[name])).toEqual([]);
  expect(new Set(Object.values(labels)).size).toBe(PERMISSIONS.length);
  expect(ROLES.filter((role) => !ROLE_HELP[role])).toEqual([]);
});
