import {
  MAIL_SERVER_MESSAGES,
  MAIL_TESTS_OF_HOUR,
  type MailServerTested,
} from '../../../contract/mail/mail-settings.ts';
import { readMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { fault, invalid } from '../../errors.ts';
import { fullName } from '../../lib/full-name.ts';
import { createToken } from '../../lib/secret.ts';
import type { Limited } from '../../limits/throttle.ts';
import { throttleKey } from '../../limits/throttle-key.ts';
import { countUses } from '../../limits/uses.ts';
import { readMailStyle } from '../mail-templates/mail-templates.queries.ts';
import { renderTexts, senderOf, styleOf } from '../mail-templates/render-mail.ts';

/** All people together: whoever has several accounts must not look around in the network for longer. */
const TESTS: Limited = {
  key: throttleKey('mail-server-test'),
  limit: { failures: MAIL_TESTS_OF_HOUR, windowMs: 60 * 60_000 },
};

/** Less than a browser or proxy waits for an answer. */
const TEST_MS = 25_000;

const TEXTS = {
  subject: 'Prueba del servidor de correo',
  body: `Hola:

Si lees esto, el servidor de correo de {{ vendor }} funciona. Este mensaje se envió desde Configuración › Correos para probarlo; no hace falta responder.`,
};

/**
 * Sends a mail at once, by the mail server that is configured now, and tells what it said.
 * @param to the typed address; undefined: that of the person
 * @throws invalid (400) with `errors.to`; rateLimited (429)
 */
export async function testMailServer(
  { db, mailer, now, config }: Pick<AppContext, 'db' | 'mailer' | 'now' | 'config'>,
  userId: number,
  to: string | undefined,
): Promise<MailServerTested> {
  const recipient = await recipientOf(db, userId, to);
  await db.transaction().execute((tx) => countUses(tx, [TESTS], now()));
  const style = await readMailStyle(db, 'security_notice');
  const { frame, common } = styleOf(style, config);
  const { subject, text, html } = await renderTexts(TEXTS, common, { fields: {}, frame });
  const { sender_name, reply_to } = senderOf(style.settings);
  return mailer.trySend(
    {
      messageId: `prueba-${createToken().slice(0, 16)}@${new URL(config.publicUrl).hostname}`,
      senderName: sender_name,
      replyTo: reply_to,
      to: recipient,
      ...{ subject, text, html },
    },
    AbortSignal.timeout(TEST_MS),
  );
}

async function recipientOf(db: Db, userId: number, to: string | undefined) {
  if (to) {
    const address = readMailAddress(to);
    if (address === null) throw invalid({ to: [fault('invalid', MAIL_SERVER_MESSAGES.recipient)] });
    return { name: '', address };
  }
  const user = await db
    .selectFrom('users')
    .select(['names', 'last_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (user.email === '') throw invalid({ to: [fault('required', MAIL_SERVER_MESSAGES.noRecipient)] });
  return { name: fullName(user), address: user.email };
}
