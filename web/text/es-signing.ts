import type { SigningKeyState } from '../../contract/programs/license-token.ts';

/** Texts of 'Firma': the keys that sign answers to programs (PROG-01). */

export const SIGNING_STATE_LABELS: Record<SigningKeyState, string> = {
  current: 'Actual',
  next: 'Siguiente',
  retired: 'Anterior',
};

export const signingTexts = {
  loading: 'Cargando las claves de firma...',
  notFound: 'No hay claves de firma',
  failed: 'Error al cargar las claves de firma',
  lead: 'Cada programa comprueba con una clave pública que la respuesta viene de este servidor. Incluye en tu programa las claves públicas actual y siguiente: así sigue funcionando cuando rotes la clave.',
  what: {
    current: 'Firma las respuestas y los archivos de ahora.',
    next: 'Firmará cuando rotes la clave. Inclúyela ya en tus programas.',
    retired: 'Ya no firma. Se conserva hasta que termine todo lo que firmó.',
  } satisfies Record<SigningKeyState, string>,
  id: 'Id. de la clave (kid)',
  copyId: (kid: string) => `Copiar el id ${kid.slice(0, 8)}…`,
  created: 'Creada',
  currentSince: 'Firma desde',
  keptUntil: 'Se conserva hasta',
  copyPem: 'Copiar PEM',
  copyJwk: 'Copiar JWK',
  copied: 'Copiada',
  rotate: 'Rotar clave',
  rotateTitle: 'Rotar clave de firma',
  rotateText:
    'La clave siguiente empieza a firmar y se crea otra siguiente. Los programas que incluyen las dos claves siguen funcionando; lo ya firmado sigue siendo válido. Antes de rotar otra vez, publica tus programas con la nueva clave siguiente.',
  young: (day: string) =>
    `La clave siguiente es del ${day}: los programas publicados antes no la incluyen y dejarán de aceptar respuestas nuevas.`,
  rotating: 'Rotando...',
  rotated: 'Clave de firma rotada',
  rotateFailed: 'No se pudo rotar la clave',
} as const;
