import type { MailKind } from '../../../contract/mails.ts';
import type { Scope } from '../../scope.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { secretsOf } from './mail-secrets.ts';
import type { MailVariables } from './mail-variables.ts';
import type { OutboxMessage } from './outbox.queries.ts';
import { renderMail } from './render-mail.ts';

/** A mail to queue. `license`, `client` and `user` are ids of the records that it is about. */
export type NewMail<Kind extends MailKind> = {
  kind: Kind;
  to: { name: string; address: string };
  license?: number | null;
  client?: number | null;
  user?: number | null;
  /** The values of the kind's variables (mail-variables.ts), without the common ones. */
  variables: MailVariables<Kind>;
  /**
   * The link that ends mail of this kind: it goes into the foot of the mail and, for one click, into its headers
   * (RFC 8058). Its token stands after '?' or '#', or ends its path; answers of the API mask it.
   */
  unsubscribeUrl?: string;
  /** Further headers by name. */
  headers?: Record<string, string>;
};

/**
 * Renders a mail with the vendor's template and stores it with its delivery job, in the transaction of the change that
 * it reports.
 * @returns the mail's id
 */
export async function queueMail<Kind extends MailKind>(scope: Scope, mail: NewMail<Kind>): Promise<number> {
  const { kind, to, variables, unsubscribeUrl = null } = mail;
  const { fault, ...rendered } = await renderMail(scope, kind, variables, unsubscribeUrl);
  const message: OutboxMessage = {
    kind,
    license_id: mail.license ?? null,
    client_id: mail.client ?? null,
    user_id: mail.user ?? null,
    to_name: to.name,
    to_address: to.address,
    headers: { ...mail.headers, ...(unsubscribeUrl !== null && oneClick(unsubscribeUrl)) },
    secrets: secretsOf({ ...variables, unsubscribeUrl }),
    ...rendered,
  };
  return enqueueMessage(scope, message, fault);
}

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
