import type { z } from 'zod';
import { clientBulkAction } from '../../../contract/clients/clients.ts';
import { licenseBulkAction } from '../../../contract/licenses/license-bulk.ts';
import { softwareBulkAction } from '../../../contract/software/software.ts';
import type { Tag } from '../../http/openapi-words/calls.ts';
import type { Bulk, BulkFilters } from '../../records/define-bulk.ts';
import { clientBulk } from '../clients/client-bulk.ts';
import { licenseBulk } from '../licenses/license-bulk.ts';
import { softwareBulk } from '../software/software-bulk.ts';

/** What the bodies of all lists have in common; the fields of the action are added to it. */
export type BulkRequest = {
  action: string;
  ids?: number[] | undefined;
  filters?: BulkFilters | undefined;
  expected_count?: number | undefined;
};

/** Every list that has a bulk call, with its body and its texts in the API document. */
export const BULK_LISTS: { bulk: Bulk; body: z.ZodType<BulkRequest>; tag: Tag; summary: string }[] = [
  {
    bulk: licenseBulk,
    body: licenseBulkAction,
    tag: 'Licencias',
    summary: 'Hacer lo mismo con varias licencias',
  },
  {
    bulk: clientBulk,
    body: clientBulkAction,
    tag: 'Clientes',
    summary: 'Hacer lo mismo con varios clientes',
  },
  {
    bulk: softwareBulk,
    body: softwareBulkAction,
    tag: 'Software',
    summary: 'Hacer lo mismo con varios software',
  },
];
