import { KeyRound } from 'lucide-react';
import { product, users, type VerbWords } from './verb-words.ts';

export const replaceKey = {
  icon: KeyRound,
  label: 'Cambiar clave',
  title: 'Cambiar clave de la licencia',
  effect:
    'La clave anterior deja de servir en ese momento. Los equipos activados conservan su lugar; los archivos sin conexión se emiten de nuevo.',
  submit: 'Cambiar clave',
  busy: 'Cambiando...',
  done: 'Clave cambiada',
  failed: 'No se pudo cambiar la clave',
  whom: {
    tone: 'critical',
    title: 'No se puede deshacer',
    text: (license) =>
      `${license.client_name} necesita la clave nueva para seguir usando ${product(license)}. ${users(license)}`,
  },
  sentence: (who) => `${who} cambió la clave de la licencia`,
  eventLabel: 'Clave cambiada',
} as const satisfies VerbWords;
