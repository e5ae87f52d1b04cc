import { LABELS } from '../../../contract/base/labels.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { CLIENT_STATUS_LABELS } from '../../../contract/clients/client-words.ts';
import { NEW_LICENSE, screens } from '../../text/es.ts';
import { areMixed, formatMoney } from '../../text/format.ts';

/** An amount beside those of other currencies. */
type Amount = { currency: Currency; amount: number };

/** The texts of the dashboard (SEED-2.5-01 to -22). */
export const dashboardTexts = {
  title: screens.dashboard,
  subtitle: 'Resumen general del sistema de licencias',
  lastUpdated: 'Última actualización:',
  stats: 'Indicadores',
  activeLicenses: LABELS.active_licenses,
  totalClients: 'Total Clientes',
  trialLicenses: 'Licencias Trial',
  registeredSoftware: 'Software Registrado',
  changeHint: 'en 30 días',
  /** Thirty days ago the value was 0, so there is no change in percent (D105). */
  noChange: 'Aún no hay con qué comparar',
  statsFailed: 'Error al cargar estadísticas',
  statsFailedText: 'No se pudieron cargar los datos del dashboard. Por favor, intenta nuevamente.',

  systemStatus: 'Estado del Sistema',
  database: 'Base de datos',
  api: 'API de Licencias',
  email: 'Servicio de Email',

  quickActions: 'Acciones Rápidas',
  newLicense: NEW_LICENSE,
  addClient: 'Agregar Cliente',
  registerSoftware: 'Registrar Software',
  viewReports: 'Ver Reportes',

  distribution: 'Distribución de Licencias',
  active: 'Activas',
  trial: 'Trial',
  total: 'Total',
  distributionSoon: 'Próximamente: comparación con el año anterior',
  chartCaption: 'Licencias emitidas por mes',
  chartMonth: 'Mes',
  chartCount: 'Licencias emitidas',
  chartFailed: 'No se pudo cargar la gráfica',

  summary: 'Resumen del Sistema',
  clients: LABELS.clients,
  software: LABELS.software,
  conversion: 'Tasa de conversión',
  conversionHint: 'Licencias activas entre todas las licencias',
  summarySoon: 'Próximamente: más métricas',

  recent: 'Licencias Recientes',
  viewAll: 'Ver todas',
  licenseKey: LABELS.license_key,
  client: LABELS.client,
  softwareColumn: LABELS.software,
  status: LABELS.status,
  issuedDate: LABELS.issued_date,
  empty: 'No hay licencias',
  emptyHint: 'Comienza creando tu primera licencia.',
  createFirst: 'Crear tu primera licencia',
} as const;

export const todayTexts = {
  title: 'Para hoy',
  expiring: (days: number) => `Por vencer en ${days} días`,
  /** Licences that end after the first number of days and within the second. */
  expiringFrom: (first: number, last: number) => `Por vencer de ${first} a ${last} días`,
  /** The accessible name of a button beside a client's name. */
  does: (verb: string, client: string) => `${verb}: ${client}`,
  /** The sum of these licences' prices, separate for each currency. */
  worth: (amounts: readonly Amount[]) => {
    const mixed = areMixed(amounts);
    return `por ${amounts.map(({ amount, currency }) => formatMoney(amount, currency, mixed)).join(' · ')}`;
  },
  noneExpiring: 'Ninguna',
  failedMails: 'Correos fallidos',
  toResend: 'Por reenviar',
  allDelivered: 'Todo se entregó',
  seatsFull: 'Lugares completos',
  noSeatLeft: 'Sin lugar libre',
  seatsFree: 'Todas tienen lugar',
  reviews: {
    one: 'pago necesita que decidas',
    many: 'pagos necesitan que decidas',
  },
  requests: {
    one: 'solicitud de un cliente en los últimos 14 días',
    many: 'solicitudes de clientes en los últimos 14 días',
  },
  failed: 'Error al cargar lo que hay para hoy',
} as const;

/** Income of this month compared with the same days of last month. */
export const revenueTexts = {
  title: 'Ingresos de este mes',
  /** The change as text; the amount has no sign. */
  difference: (amount: number, currency: Currency, mixed: boolean) => {
    if (amount === 0) return 'Igual';
    return `${amount > 0 ? 'Sube' : 'Baja'} ${formatMoney(Math.abs(amount), currency, mixed)}`;
  },
  toDate: (amount: number, currency: Currency, mixed: boolean) =>
    `Al mismo día: ${formatMoney(amount, currency, mixed)}`,
  lastMonth: (amount: number, currency: Currency, mixed: boolean) =>
    `Mes pasado: ${formatMoney(amount, currency, mixed)}`,
  others: 'En otras monedas',
} as const;

/** Texts of the first steps in an empty installation. */
export const setupTexts = {
  title: 'Primeros pasos',
  progress: (done: number, all: number) => `${done} de ${all} listos`,
  done: 'Listo',
  pending: 'Pendiente',
  software: { title: 'Registra tu software', hint: 'Lo que vendes, con su versión' },
  license_types: { title: 'Crea un tipo de licencia', hint: 'Precio, vigencia y lugares' },
  clients: { title: 'Agrega un cliente', hint: 'A quién le vendes' },
  licenses: { title: 'Emite una licencia', hint: 'El cliente recibe su clave por correo' },
  /** Replaces the text above if there is no mail server. */
  licensesStored: 'Sin servidor de correo, dale tú la clave al cliente',
  installations: { title: 'Activa el primer equipo', hint: 'Tu programa llama a la API' },
} as const;

/** The normal words for the parts of the system, and those for a failure that the server reports (D016). */
export const systemWords = {
  database: { working: 'Conectada', failed: 'Desconectada' },
  api: { working: 'Operativa', failed: 'Sin respuesta' },
  email: { working: LABELS.is_active, failed: CLIENT_STATUS_LABELS.inactive },
} as const;
