import { MonitorUp } from 'lucide-react';
import { counted } from '../text/es-lists.ts';
import type { VerbWords } from './verb-words.ts';

export const addSeats = {
  icon: MonitorUp,
  label: 'Agregar lugares',
  title: 'Agregar lugares a la licencia',
  effect:
    'Más equipos pueden usarla desde ahora y hasta que venza. La renovación cobrará también estos lugares.',
  submit: 'Agregar lugares',
  busy: 'Agregando...',
  done: 'Lugares agregados',
  failed: 'No se pudieron agregar los lugares',
  sentence: (who, { changes }) => {
    const { before, after } = changes.max_installations ?? {};
    if (typeof before !== 'number' || typeof after !== 'number') return `${who} agregó lugares a la licencia`;
    const seats = counted(after - before, { one: 'lugar', many: 'lugares' });
    return `${who} agregó ${seats} a la licencia`;
  },
  eventLabel: 'Lugares agregados',
} as const satisfies VerbWords;
