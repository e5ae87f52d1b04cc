import { type MailKind, ONE_TIME_MAIL_KINDS } from '../../../contract/mail/mails.ts';
import type { PayRequestName } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import type { MailVariables } from '../mail-templates/mail-variables.ts';
import { renderMail } from '../mail-templates/render-mail.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { secretsOf } from './mail-secrets.ts';
import type { OutboxMessage } from './outbox.queries.ts';
import { oneTimeForm, outboxForm } from './outbox-form.ts';

/** A mail to queue. `license`, `client` and `user` are the ids of the records that it concerns. */
type NewMail<Kind extends MailKind> = {
  kind: Kind;
  to: { name: string; address: string };
  license?: number | null;
  client?: number | null;
  user?: number | null;
  /** The values of the kind's variables (mail-variables.ts), without the common ones. */
  variables: MailVariables<Kind>;
  /**
   * The unsubscribe link for mails of this kind. It goes into the mail's footer and, for one-click unsubscribe, into
   * its headers (RFC 8058). Its token is after '?' or '#', or at the end of the path; answers of the API mask it.
   */
  unsubscribeUrl?: string;
  /** The payment request whose address the mail contains; the mail is stored without its code (PAY-02). */
  payRequest?: PayRequestName | undefined;
  /** The Reply-To address; absent: the one in the settings. */
  replyTo?: string;
  /** Further headers by name. */
  headers?: Record<string, string>;
};

/**
 * Renders a mail with the vendor's template and stores it with its delivery job, in the transaction of the change
 * that it reports.
 * @returns the mail's id
 */
export async function queueMail<Kind extends MailKind>(scope: Scope, mail: NewMail<Kind>): Promise<number> {
  const { kind, to, variables, unsubscribeUrl = null } = mail;
  const { fault, sender_name, reply_to, ...rendered } = await renderMail(
    scope,
    kind,
    variables,
    unsubscribeUrl,
  );
  const secrets = secretsOf({ ...variables, unsubscribeUrl });
  const message: OutboxMessage = {
    kind,
    license_id: mail.license ?? null,
    client_id: mail.client ?? null,
    user_id: mail.user ?? null,
    to_name: to.name,
    to_address: to.address,
    headers: { ...mail.headers, ...(unsubscribeUrl !== null && oneClick(unsubscribeUrl)) },
    sender_name,
    reply_to: mail.replyTo ?? reply_to,
    ...(ONE_TIME_MAIL_KINDS.includes(kind)
      ? oneTimeForm(rendered, secrets)
      : outboxForm(scope, rendered, secrets, mail.payRequest)),
  };
  return enqueueMessage(scope, message, fault);
}

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
