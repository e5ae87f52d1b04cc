/** The texts of the dashboard (SEED-2.5-01 to -22). */
export const dashboardTexts = {
  title: 'Dashboard',
  subtitle: 'Resumen general del sistema de licencias',
  lastUpdated: 'Última actualización:',
  stats: 'Indicadores',
  activeLicenses: 'Licencias Activas',
  totalClients: 'Total Clientes',
  trialLicenses: 'Licencias Trial',
  registeredSoftware: 'Software Registrado',
  changeHint: 'en 30 días',
  /** Thirty days ago there was none (D105): a change in percent is undefined. */
  noChange: 'Aún no hay con qué comparar',
  statsFailed: 'Error al cargar estadísticas',
  statsFailedText: 'No se pudieron cargar los datos del dashboard. Por favor, intenta nuevamente.',

  systemStatus: 'Estado del Sistema',
  database: 'Base de datos',
  api: 'API de Licencias',
  email: 'Servicio de Email',

  quickActions: 'Acciones Rápidas',
  newLicense: 'Nueva Licencia',
  addClient: 'Agregar Cliente',
  registerSoftware: 'Registrar Software',
  viewReports: 'Ver Reportes',

  distribution: 'Distribución de Licencias',
  active: 'Activas',
  trial: 'Trial',
  total: 'Total',
  distributionSoon: 'Próximamente: evolución mensual de licencias',
  chartCaption: 'Licencias por situación',
  chartGroup: 'Situación',
  chartCount: 'Licencias',
  chartLoading: 'Cargando gráfica...',

  summary: 'Resumen del Sistema',
  clients: 'Clientes',
  software: 'Software',
  conversion: 'Tasa de conversión',
  conversionHint: 'Licencias activas entre todas las licencias',
  summarySoon: 'Próximamente: más métricas',

  recent: 'Licencias Recientes',
  viewAll: 'Ver todas',
  licenseKey: 'Clave de Licencia',
  client: 'Cliente',
  softwareColumn: 'Software',
  status: 'Estado',
  issuedDate: 'Fecha de Emisión',
  empty: 'No hay licencias',
  emptyHint: 'Comienza creando tu primera licencia.',
} as const;

/** The fixed words of the system's parts, and their replacements when the server reports a failure (D016). */
export const systemWords = {
  database: { working: 'Conectada', failed: 'Desconectada' },
  api: { working: 'Operativa', failed: 'Sin respuesta' },
  email: { working: 'Activo', failed: 'Inactivo' },
} as const;
