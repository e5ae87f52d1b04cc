import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { PORTAL_LIMITS, PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { createToken, hashToken } from '../../lib/secret.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables } from '../mail-templates/license-variables.ts';
import { clientsOfAddress } from './portal-clients.queries.ts';

/**
 * The hash of a code. There are only a million codes, so whoever reads the database could find the code by trying.
 * But the code alone is useless: it is valid only with the cookie of the requesting browser, and of that cookie the
 * database has only a hash of 256 random bits.
 */
export const hashCode = (ask: number, code: string): string => hashToken(`${ask} ${code}`);

const newCode = () =>
  String(randomInt(10 ** PORTAL_LIMITS.codeDigits)).padStart(PORTAL_LIMITS.codeDigits, '0');

/**
 * Makes the code and the link of a request, and mails them if the address may sign in for an active client: as its own
 * or as that of a contact (DESK-04). They are made for every address, so that tries are counted in the same way
 * (PORTAL-01).
 */
export const portalLinkJob = defineJob({
  kind: 'portal_link',
  label: 'Correo para entrar al portal',
  payload: z.object({ ask: z.number() }),
  atOnce: 2,
  triesMax: 5,
  run: (context, { ask: id }) =>
    inScope(context, { actor: SYSTEM }, async (scope) => {
      const { tx, now, clientUrl } = scope;
      const [code, token] = [newCode(), createToken()];
      // No row is updated if a newer request cancelled this one, or if an earlier run made its code.
      const ask = await tx
        .updateTable('portal_asks')
        .set({ code_hash: hashCode(id, code), token_hash: hashToken(token) })
        .where('id', '=', id)
        .where('token_hash', 'is', null)
        .where('proved_at', 'is', null)
        .where('expires_at', '>', now.toISOString())
        .returning('email_key')
        .executeTakeFirst();
      if (!ask || ask.email_key === null) return;
      const found = await clientsOfAddress(tx, ask.email_key);
      const [client, ...others] = found;
      if (!client) return;
      if (others.length === 0) {
        await tx.updateTable('portal_asks').set({ client_id: client.id }).where('id', '=', id).execute();
      } else {
        const rows = found.map((one) => ({ ask_id: id, client_id: one.id }));
        await tx.insertInto('portal_ask_clients').values(rows).execute();
      }
      const { contact } = client;
      await queueMail(scope, {
        kind: 'portal_link',
        to: contact
          ? { name: contact.name, address: contact.email }
          : { name: client.name, address: client.email },
        client: client.id,
        isToContact: contact !== null,
        variables: {
          client: clientVariables(client),
          code,
          link: `${clientUrl}${PORTAL_PATH}#t=${token}`,
          minutes: PORTAL_LIMITS.askSeconds / 60,
        },
      });
    }),
});
