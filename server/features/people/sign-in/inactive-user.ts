import { SIGN_IN_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { AppError } from '../../../errors.ts';

/** 403: the account is inactive. Only a right password or passkey gets this answer (D002). */
export const inactiveUser = () =>
  new AppError(403, 'user_inactive', { message: SIGN_IN_MESSAGES.inactiveUser });
