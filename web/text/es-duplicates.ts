import type { DuplicateReason } from '../../contract/clients/duplicates.ts';

/** Clients that a new one may be (INPUT-19). */
export const duplicateTexts = {
  title: 'Quizá ya es cliente:',
  reasons: {
    email: 'mismo email',
    tax_id: 'mismo RFC/CUIT',
    name: 'mismo nombre',
    phone: 'mismo teléfono',
  } satisfies Record<DuplicateReason, string>,
};
