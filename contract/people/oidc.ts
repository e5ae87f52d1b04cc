import { z } from 'zod';
import { ERROR_CODES } from '../base/errors.ts';

/** Signing in with OpenID Connect (SIGN-02). */

/** A start that is to confirm the identity of somebody who is signed in. */
export const oidcStart = z.object({ step_up: z.literal('1').optional() });

const token = z.string(ERROR_CODES.invalid_token).max(200, ERROR_CODES.invalid_token);
/** The token of a callback. */
export const oidcToken = z.object({ token });
/** The token of a link of `npm run user -- link`. */
export const linkSignIn = z.object({ token });
