import { sql } from 'kysely';
import { licenseTypeListQuery } from '../../../contract/license-types.ts';
import { inTextOrder, isAmong } from '../../db/dialect.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals } from '../../lists/filters.ts';
import { toLicenseType } from './license-types.queries.ts';

/** By name (D057), with which the text that is searched begins. */
export const licenseTypeList = defineList({
  table: 'license_types',
  query: licenseTypeListQuery,
  filters: { is_active: equals('license_types.is_active') },
  orderings: {},
  order: { by: (db) => inTextOrder(db, sql.ref<string>('license_types.search_text')), descending: false },
  search: [{ table: 'license_types' }],
  rows: async (db, ids) => {
    const rows = db
      .selectFrom('license_types')
      .selectAll()
      .where((eb) => isAmong(db, eb.ref('id'), ids));
    return (await rows.execute()).map(toLicenseType);
  },
});
