import { z } from 'zod';
import { MERGE_LICENSES_MAX } from '../base/limits.ts';
import { reference, writtenId } from '../base/numbers.ts';
import { CLIENT_FIELDS, type ClientField } from './clients.fields.ts';
import { clientDetails } from './clients.ts';
import { DUPLICATE_REASONS } from './duplicates.ts';

/** 'Fusionar clientes': one client from two (MERGE-01, docs/decisions/169). */

export const MERGE_MESSAGES = {
  fromRequired: 'Indica en from el cliente que se fusiona con este',
  sameClient: 'Es el mismo cliente: elige otro',
  unknownClient: 'El cliente indicado no existe',
  system: 'El cliente de las pruebas no se puede fusionar',
  erased: 'Los datos de uno de los dos clientes se borraron: ya no se puede fusionar',
  mailUnderWay: 'Hay un correo en camino para uno de los dos clientes. Intenta de nuevo en unos minutos.',
  tooMany: `El cliente que terminaría tiene más de ${MERGE_LICENSES_MAX} licencias: son demasiadas para fusionarlo`,
  underWay: 'Uno de los dos clientes se está fusionando. Intenta de nuevo en unos minutos.',
} as const;

const asked = { from: reference(MERGE_MESSAGES.fromRequired) };

/** `POST clients/{id}/merge/`: `from` is the client that ends. */
export const clientMerge = z.object(asked).meta({ examples: [{ from: 2 }] });
/** `POST clients/{id}/merge/preview/` */
export const clientMergePreview = z.object(asked).meta({ examples: [{ from: 3 }] });

const count = (description: string) => z.number().int().meta({ description });

/** What did not fit, because a client has a limited number of them. */
const left = z
  .object({
    tags: count('Etiquetas que no cupieron / Tags that did not fit'),
    contacts: count('Contactos que no cupieron / Contacts that did not fit'),
  })
  .meta({ description: 'Lo que no cupo / What did not fit' });
export type LeftOver = z.infer<typeof left>;

/** The client after a merge. */
export const mergedClient = clientDetails.extend({ left }).meta({ id: 'MergedClient' });
export type MergedClient = z.infer<typeof mergedClient>;

const FIELD_NAMES = Object.keys(CLIENT_FIELDS) as [ClientField, ...ClientField[]];

/** What moves with a merge: the rows of `from` by kind. */
const moves = z
  .object({
    licenses: count('Licencias / Licences'),
    installations: count('Equipos / Machines'),
    payment_requests: count('Cobros / Payment requests'),
    payments: count('Pagos / Payments'),
    mails: count('Correos / Mails'),
    notes: count('Notas / Notes'),
    tags: count('Etiquetas que se agregan / Tags that are added'),
    contacts: count('Contactos que se agregan / Contacts that are added'),
  })
  .meta({ description: 'Lo que pasa de from / What moves from from' });
export type MergeMoves = z.infer<typeof moves>;

/** `POST clients/{id}/merge/preview/`: what a merge would do. Nothing is stored. */
export const mergePreview = z
  .object({
    /** The fields that `id` takes from `from`, because they are blank, or because of the stricter of both. */
    taken: z.array(z.enum(FIELD_NAMES)).meta({
      description: 'Los campos que toma de from / The fields that it takes from from',
    }),
    moves,
    left,
    /** Why the merge would be refused now; null if it would not. */
    refusal: z.string().nullable().meta({
      description: 'Por qué no se puede fusionar ahora / Why it cannot be merged now',
    }),
  })
  .meta({ id: 'MergePreview' });
export type MergePreview = z.infer<typeof mergePreview>;

/** The most pairs of likely duplicates in an answer. */
export const CANDIDATES_MAX = 20;

/** `GET clients/merge_candidates/?import=`: the clients of an import that may be the same as others. */
export const mergeCandidatesQuery = z.object({ import: writtenId });

const namedClient = z.object({ id: z.number().int(), name: z.string() });
export const mergeCandidates = z
  .object({
    results: z.array(
      z
        .object({
          client: namedClient.meta({
            description: 'El cliente de la importación / The client of the import',
          }),
          other: namedClient.meta({ description: 'El que quizá es el mismo / The one that may be the same' }),
          why: z.enum(DUPLICATE_REASONS),
        })
        .meta({ id: 'MergeCandidate' }),
    ),
  })
  .meta({ id: 'MergeCandidates' });
export type MergeCandidates = z.infer<typeof mergeCandidates>;
