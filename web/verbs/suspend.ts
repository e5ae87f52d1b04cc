import { CirclePause } from 'lucide-react';
import { manyTexts, product, users, type VerbWords } from './verb-words.ts';

export const suspend = {
  icon: CirclePause,
  label: 'Suspender',
  title: 'Suspender la licencia',
  effect:
    'El programa deja de aceptarla hasta que la reactives. Sus equipos conservan su lugar y su plazo sigue corriendo.',
  submit: 'Suspender',
  busy: 'Suspendiendo...',
  done: 'Licencia suspendida',
  failed: 'No se pudo suspender la licencia',
  whom: {
    tone: 'warning',
    title: 'A quién afecta',
    text: (license) =>
      `${license.client_name} no podrá usar ${product(license)} hasta que reactives la licencia. ${users(license)}`,
  },
  many: manyTexts('Suspender', 'suspendid', {
    question:
      'Los programas dejan de aceptarlas hasta que las reactives. Los equipos conservan su lugar y el plazo sigue corriendo.',
    busy: 'Suspendiendo...',
  }),
  sentence: (who) => `${who} suspendió la licencia`,
  eventLabel: 'Licencia suspendida',
} as const satisfies VerbWords;
