import { buttons, NO_SIGNAL } from './es-buttons.ts';
/** Texts about releasing a seat in the console. */
export const releaseTexts = {
  release: buttons.release,
  releasing: buttons.releasing,
  of: (name: string) => `${buttons.release} ${name}`,
  question: (name: string) =>
    `El equipo "${name}" dejará de ocupar un lugar de la licencia. Para volver a usarla tendrá que activarse de nuevo.`,
  released: 'Equipo liberado exitosamente',
  worksUntil: (date: string) => `Su programa puede seguir trabajando sin conexión hasta el ${date}.`,
  failed: 'Error al liberar el equipo',
  undone: 'El equipo recuperó su lugar',
  undoFailed: 'No se pudo deshacer la liberación',
  /** Used if the machine must still be chosen. */
  one: 'Liberar un equipo',
  which: 'Qué equipo deja su lugar',
  lastSignal: (when: string) => `última señal ${when}`,
  noSignal: NO_SIGNAL.toLowerCase(),
  newestOnly: (shown: number) =>
    `Son los ${shown} equipos más recientes. Los demás se liberan en los detalles del cliente.`,
} as const;
