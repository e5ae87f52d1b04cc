/**
 * Texts at the bottom of Reportes and Configuración: what is planned next (SEED-2.1-12, SEED-2.1-13, D020, REPORT-04).
 */
export const placeholderTexts = {
  underDevelopment: 'Esta página está en desarrollo.',
  reports: {
    subtitle: 'Lo que entró, lo que viene y cómo se usan tus licencias',
    planned: 'Lo que sigue: metas de ventas y reportes programados por correo.',
  },
  settings: {
    planned: 'Lo que sigue: copias de seguridad desde la consola.',
  },
} as const;
