import { Ban } from 'lucide-react';
import { manyTexts, product, users, type VerbWords } from './verb-words.ts';

export const cancel = {
  icon: Ban,
  isDanger: true,
  label: 'Cancelar licencia',
  title: 'Cancelar licencia',
  effect:
    'El programa deja de aceptarla para siempre y no admite más acciones. Sus ventas dejan de contar en lo vendido.',
  submit: 'Cancelar licencia',
  busy: 'Cancelando...',
  done: 'Licencia cancelada',
  failed: 'No se pudo cancelar la licencia',
  whom: {
    tone: 'critical',
    title: 'No se puede deshacer',
    text: (license) => `${license.client_name} pierde su licencia de ${product(license)}. ${users(license)}`,
  },
  many: manyTexts('Cancelar', 'cancelad', {
    label: 'Cancelar licencia',
    question:
      'Los programas dejan de aceptarlas para siempre y no admiten más acciones. Sus ventas dejan de contar en lo vendido.',
    confirm: 'Cancelar licencias',
    busy: 'Cancelando...',
  }),
  sentence: (who) => `${who} canceló la licencia`,
  eventLabel: 'Licencia cancelada',
} as const satisfies VerbWords;
