import { licenseTypeListQuery } from '../../../contract/license-types/license-types.ts';
import { isAmong } from '../../db/dialect.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, since } from '../../lists/filters.ts';
import { toLicenseType } from './license-types.queries.ts';

/** Default order: by name (D057). */
export const licenseTypeList = defineList({
  table: 'license_types',
  query: licenseTypeListQuery,
  filters: {
    is_active: equals('license_types.is_active'),
    updated_since: since('license_types.updated_at'),
  },
  orderings: { updated_at: { by: 'license_types.updated_at', of: 'instant' } },
  order: { by: 'license_types.name_order', of: 'text', descending: false },
  searched: [{ table: 'license_types' }],
  rows: async (db, ids) => {
    const rows = db
      .selectFrom('license_types')
      .selectAll()
      .where((eb) => isAmong(db, eb.ref('id'), ids));
    return (await rows.execute()).map(toLicenseType);
  },
});
