import { CirclePlay } from 'lucide-react';
import { untilEnd } from '../text/event-ends.ts';
import { manyTexts, type VerbWords } from './verb-words.ts';

export const reinstate = {
  icon: CirclePlay,
  label: 'Reactivar',
  title: 'Reactivar la licencia',
  effect: 'La licencia vuelve al estado que tenía antes de la suspensión.',
  submit: 'Reactivar',
  busy: 'Reactivando...',
  done: 'Licencia reactivada',
  failed: 'No se pudo reactivar la licencia',
  many: manyTexts('Reactivar', 'reactivad', {
    question: 'Cada licencia vuelve al estado que tenía antes de la suspensión.',
    busy: 'Reactivando...',
  }),
  sentence: (who, event) => `${who} reactivó la licencia${untilEnd(event)}`,
  eventLabel: 'Licencia reactivada',
} as const satisfies VerbWords;
