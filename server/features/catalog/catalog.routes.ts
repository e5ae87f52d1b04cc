import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import { localDay } from '../../../contract/base/time.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { CATALOG_SECONDS, type Catalog, catalog } from '../../../contract/licenses/catalog.ts';
import type { Db } from '../../db/tables.ts';
import { anyone } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { listPublicTypes } from '../license-types/license-types.queries.ts';
import { isRunning, priceToday } from '../license-types/price-today.ts';

const CACHE = `public, max-age=${CATALOG_SECONDS}`;

/** The public catalogue, for the vendor's shop (SELL-06). */
export const catalogRoutes = routesOf('Catálogo', (app, { db, now, config }) => {
  app.get(
    '/licenses/api/catalog/',
    {
      config: anyone({ anyOrigin: true }),
      schema: {
        summary: 'Ver el catálogo público',
        description:
          'Para la tienda del proveedor: el software y los tipos de licencia activos que están marcados como públicos, con el precio de hoy.',
        response: { 200: catalog },
      },
    },
    async (_request, reply) => {
      reply.headers({ 'cache-control': CACHE, 'cross-origin-resource-policy': 'cross-origin' });
      const today = localDay(now(), config.timeZone);
      const types = await listPublicTypes(db);
      return {
        success: true as const,
        software: await listPublicSoftware(db),
        license_types: types.map((type) => offerOf(type, today)),
      };
    },
  );
});

const listPublicSoftware = (db: Db) =>
  db
    .selectFrom('software')
    .select(['code', 'name', 'version', 'description'])
    .where('is_public', '=', true)
    .where('is_active', '=', true)
    .orderBy('name_order')
    .orderBy('id')
    .limit(UNPAGED_ROWS)
    .execute();

function offerOf(type: LicenseType, today: string): Catalog['license_types'][number] {
  const { id, name, description, currency, max_installations, validity_days, validity_months, features } =
    type;
  const { price_cents, original_price_cents } = priceToday(type, today);
  return {
    ...{ id, name, description, currency, max_installations, validity_days, validity_months, features },
    seat_mode: type.seat_mode,
    renewal_price: type.renewal_price,
    price: fromMinorUnits(price_cents, currency),
    original_price: original_price_cents === null ? null : fromMinorUnits(original_price_cents, currency),
    promotion: isRunning(type, today) ? { name: type.promotion_name, ends: type.promotion_end_date } : null,
  };
}
