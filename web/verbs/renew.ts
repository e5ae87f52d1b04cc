import { RefreshCw } from 'lucide-react';
import { untilEnd } from '../text/event-ends.ts';
import { formatDate } from '../text/format.ts';
import { manyTexts, type VerbWords } from './verb-words.ts';

export const renew = {
  icon: RefreshCw,
  label: 'Renovar',
  title: 'Renovar la licencia',
  effect: 'Se agrega un periodo a la licencia, con el precio y los días de su tipo. Puedes cambiarlos aquí.',
  submit: 'Renovar',
  busy: 'Renovando...',
  done: 'Licencia renovada',
  failed: 'No se pudo renovar la licencia',
  many: manyTexts('Renovar', 'renovad', {
    question: 'Se agrega un periodo a cada licencia. Lo que dejes en blanco sale de su tipo de licencia.',
    busy: 'Renovando...',
  }),
  sentence: (who, event) => {
    // Maintenance changes the last day of updates, but not the end.
    const day = event.changes.updates_until?.after;
    const isMaintenance = event.changes.expiry_date === undefined && typeof day === 'string';
    if (isMaintenance) return `${who} renovó las actualizaciones hasta el ${formatDate(day)}`;
    return `${who} renovó la licencia${untilEnd(event)}`;
  },
  eventLabel: 'Licencia renovada',
} as const satisfies VerbWords;
