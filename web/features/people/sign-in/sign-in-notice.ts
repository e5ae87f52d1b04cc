import { SIGN_IN_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { OTHER_SIGN_IN_ERROR, signInNotices } from '../../../text/es-auth.ts';

export type NoticeKind = keyof typeof signInNotices | 'other';

interface SignInNotice {
  kind: NoticeKind;
  title: string;
  text: string;
}

/** The messages that select each notification, either as the whole message or as a part of it (SEED-8.2-01 to -08). */
const TRIGGERS: readonly [kind: keyof typeof signInNotices, trigger: string][] = [
  ['unknownUser', SIGN_IN_MESSAGES.unknownUser],
  ['wrongPassword', SIGN_IN_MESSAGES.wrongPassword],
  ['inactiveUser', SIGN_IN_MESSAGES.inactiveUser],
  ['incomplete', SIGN_IN_MESSAGES.incomplete],
  ['serverError', SIGN_IN_MESSAGES.serverError],
  ['unauthorized', 'Unauthorized'],
];

const NETWORK_WORDS = ['network error', 'failed to fetch', 'networkerror', 'load failed'];

/**
 * The notification for a failed sign-in: first by network failure, then by the whole message, then by a part of it.
 * Any other message is shown unchanged (D015, D032, SEED-8.2-09).
 */
export function signInNotice(error: unknown): SignInNotice {
  const message = errorMessage(error).trim();
  const lower = message.toLowerCase();
  if (NETWORK_WORDS.some((words) => lower.includes(words))) return notice('network');
  const exact = TRIGGERS.find(([, trigger]) => trigger === message);
  const holding = TRIGGERS.find(([, trigger]) => lower.includes(trigger.toLowerCase()));
  const kind = (exact ?? holding)?.[0];
  return kind === undefined ? { kind: 'other', title: OTHER_SIGN_IN_ERROR, text: message } : notice(kind);
}

const notice = (kind: keyof typeof signInNotices): SignInNotice => ({ kind, ...signInNotices[kind] });
