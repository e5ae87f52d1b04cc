import { expect, test } from 'vitest';
import type { Session } from '../context.ts';
import { signedInUser } from './signed-in-user.ts';

test('what is done in a user’s name is refused where there is none (SEED-6-01)', () => {
  const session: Session = {
    sessionId: 3,
    userId: 7,
    username: 'ana',
    names: 'Ana',
    last_name: 'López',
    email: 'ana@example.com',
  };
  expect(signedInUser({ session })).toBe(session);
  expect(() => signedInUser({ session: null })).toThrow(expect.objectContaining({ status: 401 }));
});
