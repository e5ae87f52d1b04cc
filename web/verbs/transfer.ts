import { ArrowRightLeft } from 'lucide-react';
import type { VerbWords } from './verb-words.ts';

export const transfer = {
  icon: ArrowRightLeft,
  label: 'Transferir',
  title: 'Transferir la licencia',
  effect: 'La licencia pasa a otro cliente activo. La clave es la misma.',
  submit: 'Transferir',
  busy: 'Transfiriendo...',
  done: 'Licencia transferida',
  failed: 'No se pudo transferir la licencia',
  sentence: (who, { changes }) => {
    const client = changes.client?.after;
    const to = typeof client === 'string' && client !== '' ? ` a ${client}` : '';
    return `${who} transfirió la licencia${to}`;
  },
  eventLabel: 'Licencia transferida',
} as const satisfies VerbWords;
