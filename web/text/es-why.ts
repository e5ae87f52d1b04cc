/** The words of '¿Por qué?' that lists show too; what its dialog says of a verdict is in es-verdicts.ts. */
export const whyTexts = {
  ask: '¿Por qué?',
  title: '¿Funciona en sus equipos?',
  lead: 'Esto responde el servidor a su programa en este momento. Preguntar no ocupa lugar.',
  loading: 'Preguntando...',
  failed: 'No se pudo preguntar',
  newLicense: 'Emitir otra licencia',
} as const;
