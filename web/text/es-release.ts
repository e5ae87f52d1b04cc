/** Texts about releasing a seat in the console. */
export const releaseTexts = {
  release: 'Liberar',
  releasing: 'Liberando...',
  of: (name: string) => `Liberar ${name}`,
  title: 'Liberar equipo',
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
  noSignal: 'sin señal todavía',
  newestOnly: (shown: number) =>
    `Son los ${shown} equipos más recientes. Los demás se liberan en los detalles del cliente.`,
} as const;
