/** The texts of the two screens under development (SEED-2.1-12, SEED-2.1-13, D020). */
export const placeholderTexts = {
  underDevelopment: 'Esta página está en desarrollo.',
  reports: {
    title: 'Reportes',
    subtitle: 'Informes del sistema de licencias',
    hint: 'Aquí verás ingresos, uso e instalaciones por periodo. Mientras tanto, el dashboard muestra el resumen actual.',
  },
  settings: {
    planned: 'Lo que sigue: webhooks y firma de licencias.',
  },
  backToDashboard: 'Volver al inicio',
} as const;
