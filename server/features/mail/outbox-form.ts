import { maskPayCode, type PayRequestName } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { withKeys } from '../mail-templates/mailed-keys.ts';
import type { RenderedTexts } from '../mail-templates/render-mail.ts';
import { keySecret, masked } from './mail-secrets.ts';
import type { OutboxMessage } from './outbox.queries.ts';

/** The columns of a mail's content. What must not be readable there is only in the sealed one. */
export type OutboxForm = Pick<OutboxMessage, 'subject' | 'body_text' | 'body_html' | 'secrets' | 'sealed'>;

/**
 * The outbox form of a mail. Payment codes and licence keys are not in it: a code is computed when the mail is sent, and
 * a mail with keys is sealed until then.
 * @param secrets texts that answers mask
 */
export function outboxForm(
  { secrets: box }: Pick<Scope, 'secrets'>,
  { keys, ...content }: RenderedTexts,
  secrets: readonly string[],
  payRequest?: PayRequestName,
): OutboxForm {
  const { content: stored, secrets: payment } = maskPayCode(box, content, payRequest);
  return {
    subject: stored.subject,
    body_text: stored.text,
    body_html: stored.html,
    secrets: [...secrets, ...payment, ...(keys === null ? [] : [keySecret(keys.word)])],
    ...(keys !== null && { sealed: withKeys(content, keys) }),
  };
}

/**
 * The outbox form of a mail whose link gives access: the real content is only in the sealed column. The other columns
 * contain texts that a process of an earlier version, which does not read the sealed column, would send.
 */
export function oneTimeForm(
  { keys: _none, ...content }: RenderedTexts,
  secrets: readonly string[],
): OutboxForm {
  return {
    subject: masked(content.subject, JSON.stringify(secrets)),
    body_text: UNREADABLE,
    body_html: `<p>${UNREADABLE}</p>`,
    secrets: [],
    sealed: content,
  };
}

const UNREADABLE = 'Este correo llevaba un enlace de un solo uso. Pide otro.';
