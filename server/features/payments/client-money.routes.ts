import { idParams } from '../../../contract/base/page.ts';
import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import { clientMoneyAnswer } from '../../../contract/payments/payments.ts';
import { can } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { gone } from '../../records/save-record.ts';
import { mergedInto } from '../../rules/merged-clients.ts';
import { clientMoneyOf } from './client-money.ts';

export const clientMoneyRoutes = routesOf('Cobros', (app, { db, now }) => {
  app.get(
    '/licenses/api/clients/:id(^\\d+$)/money/',
    {
      config: can('payments:read'),
      schema: {
        summary: 'Ver lo que un cliente compró, pagó y debe',
        params: idParams,
        response: { 200: clientMoneyAnswer },
      },
    },
    async ({ params: { id } }) => {
      const client = await db.selectFrom('clients').select('id').where('id', '=', id).executeTakeFirst();
      if (!client) throw await gone(db, { notFound: CLIENT_MESSAGES.notFound, mergedInto }, id);
      return { results: await clientMoneyOf(db, id, now()) };
    },
  );
});
