import { expect, test } from 'vitest';
import { signInForm } from '../../../../contract/people/auth.ts';
import fc from '../../../../test/properties.ts';
import { checkSignIn, SIGN_IN_FIELDS } from './check-sign-in.ts';

const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ minLength: 45, maxLength: 60 }));

test('the form and the contract accept the same printable texts (SEED-5.1-01, SEED-5.1-02, SEED-5.1-03, SEED-5.1-04, SEED-5.1-05)', () => {
  fc.assert(
    fc.property(text, text, (username, password) => {
      const result = signInForm.safeParse({ username, password });
      const issues = result.success ? [] : result.error.issues;
      const found = checkSignIn({ username, password });
      for (const field of SIGN_IN_FIELDS) {
        expect(found[field]).toBe(issues.find(({ path }) => path[0] === field)?.message);
      }
    }),
    { numRuns: 500 },
  );
});
