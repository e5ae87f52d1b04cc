import { type MailKind, type MailPreviewRequest, TEMPLATE_MESSAGES } from '../../../contract/mail/mails.ts';
import { AppError } from '../../errors.ts';
import { fullName } from '../../lib/full-name.ts';
import type { Scope } from '../../scope.ts';
import { readMailStyle } from '../mail-templates/mail-templates.queries.ts';
import { senderOf } from '../mail-templates/render-mail.ts';
import { previewTemplate } from '../mail-templates/save-template.ts';
import { enqueueMessage } from './enqueue-message.ts';

/**
 * Mails a template with sample data to the user who requests it.
 * @returns the user's address
 * @throws AppError 409 conflict for a user without an address; invalid (400) with the line of each error
 */
export async function queueTestMail(
  scope: Scope,
  kind: MailKind,
  userId: number,
  texts: Pick<MailPreviewRequest, 'subject' | 'body'>,
): Promise<string> {
  const { tx } = scope;
  const user = await tx
    .selectFrom('users')
    .select(['names', 'last_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (user.email === '') throw new AppError(409, 'conflict', { message: TEMPLATE_MESSAGES.noAddress });
  const { subject, html, text } = await previewTemplate(scope, kind, texts);
  await enqueueMessage(scope, {
    kind,
    license_id: null,
    client_id: null,
    user_id: userId,
    to_name: fullName(user),
    to_address: user.email,
    is_contact: false,
    headers: {},
    secrets: [],
    subject: `[Prueba] ${subject}`,
    body_html: html,
    body_text: text,
    ...senderOf((await readMailStyle(tx, kind)).settings),
  });
  return user.email;
}
