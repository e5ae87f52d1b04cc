/**
 * Words of buttons in forms, dialogs and the portal. They load on demand; those of the first load are `actions` in
 * es.ts.
 */
export const buttons = {
  save: 'Guardar cambios',
  saving: 'Guardando...',
  create: 'Crear',
  use: (value: string) => `Usar ${value}`,
  copied: 'Copiado',
  download: 'Descargar',
  preparing: 'Preparando...',
  sending: 'Enviando...',
  resend: 'Reenviar',
  resending: 'Reenviando...',
  cancelling: 'Cancelando...',
  opening: 'Abriendo...',
  checking: 'Comprobando...',
  release: 'Liberar',
  releasing: 'Liberando...',
  deactivate: 'Desactivar',
  reactivate: 'Reactivar',
} as const;

/** Instead of a day: nothing has happened yet. */
export const NEVER = 'Nunca';

/** For a machine whose program has not called yet. */
export const NO_SIGNAL = 'Sin señal todavía';
