import {
  MAIL_MESSAGES,
  MAILS_TO_CONTACTS,
  type MailKind,
  ONE_TIME_MAIL_KINDS,
} from '../../../contract/mail/mails.ts';
import { TRIAL_MAILS_OF_DAY } from '../../../contract/programs/trial-terms.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { Limited } from '../../limits/throttle.ts';
import { throttleKey } from '../../limits/throttle-key.ts';
import { takeUse } from '../../limits/uses.ts';
import { findMailed, whoReceive } from '../../rules/client-contacts.ts';
import type { PayRequestName } from '../../rules/pay-address.ts';
import { withoutFreeText } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import type { MailVariables } from '../mail-templates/mail-variables.ts';
import { renderMail } from '../mail-templates/render-mail.ts';
import { enqueueMessage, storeUnsent } from './enqueue-message.ts';
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
  /** True for a mail to a contact of the client. */
  isToContact?: boolean;
};

/**
 * Renders a mail with the vendor's template and stores it with its delivery job, in the transaction of the change
 * that it reports. A mail to an address that is not verified contains no text of whoever wrote it; above the daily
 * limit of mails for trials it is stored as failed, for staff to send. The contacts of the client that get mails of the
 * kind get one of their own each (DESK-04), except for reminders, from which each of them unsubscribes by itself.
 * @param options.toClientAlone true for a mail that somebody asked to be sent to the client's own address
 * @returns the mail's id
 */
export async function queueMail<Kind extends MailKind>(
  scope: Scope,
  mail: NewMail<Kind>,
  { toClientAlone = false }: { toClientAlone?: boolean } = {},
): Promise<number> {
  const { isVerified, contacts } = await mailedOf(scope, mail);
  const id = await queueOne(scope, mail, isVerified);
  const topic = MAILS_TO_CONTACTS[mail.kind];
  const isCopied = topic !== undefined && topic !== 'reminders' && !toClientAlone;
  for (const { name, email } of isCopied ? whoReceive(contacts, topic) : []) {
    const variables = mail.kind === 'portal_invitation' ? enteringAs(email, mail.variables) : mail.variables;
    const copy = { ...mail, variables, to: { name, address: email }, isToContact: true };
    await queueOne(scope, copy, isVerified);
  }
  return id;
}

/** Queues a mail to a contact of a client, as {@link queueMail} does one to the client. */
export async function queueContactMail<Kind extends MailKind>(
  scope: Scope,
  mail: NewMail<Kind>,
): Promise<number> {
  const { isVerified } = await mailedOf(scope, mail);
  return queueOne(scope, { ...mail, isToContact: true }, isVerified);
}

const mailedOf = async ({ tx }: Scope, { client }: NewMail<MailKind>) =>
  client == null ? { isVerified: true, contacts: [] } : findMailed(tx, client);

async function queueOne<Kind extends MailKind>(
  scope: Scope,
  mail: NewMail<Kind>,
  isVerified: boolean,
): Promise<number> {
  const { kind, unsubscribeUrl = null, isToContact = false } = mail;
  const isOfStranger = !isVerified;
  const { to, variables } = isOfStranger ? withoutFreeTexts(mail) : mail;
  const contactOf = isToContact ? clientNameIn(variables) : null;
  const { fault, sender_name, reply_to, ...rendered } = await renderMail(scope, kind, variables, {
    unsubscribeUrl,
    contactOf,
  });
  const secrets = secretsOf({ ...variables, unsubscribeUrl });
  const message: OutboxMessage = {
    kind,
    license_id: mail.license ?? null,
    client_id: mail.client ?? null,
    user_id: mail.user ?? null,
    to_name: to.name,
    to_address: to.address,
    is_contact: isToContact,
    headers: { ...mail.headers, ...(unsubscribeUrl !== null && oneClick(unsubscribeUrl)) },
    sender_name,
    reply_to: mail.replyTo ?? reply_to,
    ...(ONE_TIME_MAIL_KINDS.includes(kind)
      ? oneTimeForm(rendered, secrets)
      : outboxForm(scope, rendered, secrets, mail.payRequest)),
  };
  if (isOfStranger && isUnasked(scope, kind) && !(await takeUse(scope.tx, TRIAL_MAILS, scope.now))) {
    return storeUnsent(scope, message, MAIL_MESSAGES.trialMails);
  }
  return enqueueMessage(scope, message, fault);
}

/** The mails in a day that trials cause (docs/decisions/114). */
const TRIAL_MAILS: Limited = {
  key: throttleKey('trial-mails'),
  limit: { failures: TRIAL_MAILS_OF_DAY, windowMs: 24 * 60 * 60_000 },
};

/** Whether neither staff nor the client asked for the mail. */
const isUnasked = ({ actor }: Scope, kind: MailKind): boolean =>
  (kind === 'license_issued' && actor.kind === 'machine') || kind === 'license_reminder';

type OfClient = { client?: MailVariables<'license_issued'>['client'] };

/** The variables of an invitation to the portal for a contact, who signs in with its own address. */
const enteringAs = <Variables>(email: string, variables: Variables): Variables => ({
  ...variables,
  client: { ...(variables as OfClient).client, email: shownMailAddress(email) },
});

const clientNameIn = (variables: unknown): string | null => (variables as OfClient).client?.name ?? null;

/** The recipient and the variables of a mail to an address that is not verified (SELL-04). Staff name the contacts. */
function withoutFreeTexts<Kind extends MailKind>({
  to,
  variables,
  isToContact,
}: NewMail<Kind>): NewMail<Kind> {
  const { client } = variables as OfClient;
  return {
    to: isToContact ? to : { ...to, name: '' },
    variables: client ? { ...variables, client: withoutFreeText(client) } : variables,
  } as NewMail<Kind>;
}

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
