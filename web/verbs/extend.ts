import { CalendarPlus } from 'lucide-react';
import { EXTENSION_EFFECT } from '../text/es-days.ts';
import { untilEnd } from '../text/event-ends.ts';
import type { VerbWords } from './verb-words.ts';

export const extend = {
  icon: CalendarPlus,
  label: 'Prórroga',
  title: 'Prórroga de la licencia',
  effect: EXTENSION_EFFECT,
  submit: 'Dar prórroga',
  busy: 'Guardando...',
  done: 'Prórroga concedida',
  failed: 'No se pudo dar la prórroga',
  sentence: (who, event) => `${who} dio una prórroga a la licencia${untilEnd(event)}`,
  eventLabel: 'Prórroga',
} as const satisfies VerbWords;
