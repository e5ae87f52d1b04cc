import { softwareListQuery } from '../../../contract/software/software.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, since } from '../../lists/filters.ts';
import { wasImported } from '../../rules/imported.ts';
import { softwareOf } from './software.queries.ts';

export const softwareList = defineList({
  table: 'software',
  query: softwareListQuery,
  filters: {
    is_active: equals('software.is_active'),
    updated_since: since('software.updated_at'),
    import: (id: number, { now }) => ({
      holds: wasImported('software', 'software.id', id, now.toISOString()),
      byIndex: 'few',
    }),
  },
  orderings: {
    created_at: { by: 'software.created_at', of: 'instant' },
    name: { by: 'software.name_order', of: 'text' },
    updated_at: { by: 'software.updated_at', of: 'instant' },
  },
  order: { by: 'software.created_at', of: 'instant', descending: true },
  searched: [{ table: 'software' }],
  rows: (db, ids, { now }) => softwareOf(db, ids, now),
});
