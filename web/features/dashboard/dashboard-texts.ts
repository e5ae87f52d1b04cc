import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import { LABELS } from '../../../contract/base/labels.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { CLIENT_STATUS_LABELS } from '../../../contract/clients/client-words.ts';
import { NEW_LICENSE, screens } from '../../text/es.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { areMixed, formatMoney, formatNumber } from '../../text/format.ts';

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
  /** The sum of these licences' prices, separate for each currency. */
  worth: (amounts: readonly Amount[]) => {
    const mixed = areMixed(amounts);
    return `por ${amounts.map(({ amount, currency }) => formatMoney(amount, currency, mixed)).join(' · ')}`;
  },
  noneExpiring: 'Ninguna',
  failedMails: 'Correos fallidos',
  toResend: 'Por reenviar',
  allDelivered: 'Todo se entregó',
  /** Instead of it where nobody receives a mail (D011, decision 055). */
  nothingDelivered: outboxTexts.title,
  seatsFull: 'Lugares completos',
  noSeatLeft: 'Sin lugar libre',
  seatsFree: 'Todas tienen lugar',
  failed: 'Error al cargar lo que hay para hoy',
} as const;

/** The three words for money, each with what it is; what was sold is compared with the same days of last month. */
export const moneyTexts = {
  title: 'Ventas y cobros',
  sold: 'Vendido este mes',
  soldIs: 'Sin impuestos, esté pagado o no',
  collected: DETAIL_LABELS.collected,
  collectedIs: 'Este mes, con impuestos, menos lo devuelto',
  receivable: 'Por cobrar',
  receivableIs: (count: number) =>
    count === 1 ? 'Un cobro abierto, con impuestos' : `${formatNumber(count)} cobros abiertos, con impuestos`,
  nothingReceivable: 'Ningún cobro abierto',
  /** The change as text; the amount has no sign. */
  difference: (amount: number, currency: Currency, mixed: boolean) => {
    if (amount === 0) return 'Igual';
    return `${amount > 0 ? 'Sube' : 'Baja'} ${formatMoney(Math.abs(amount), currency, mixed)}`;
  },
  toDate: (amount: number, currency: Currency, mixed: boolean) =>
    `Mes pasado, al mismo día: ${formatMoney(amount, currency, mixed)}`,
  /** In another currency than the vendor's. */
  inCurrency: (currency: Currency) => `En ${currency}`,
} as const;

/** The normal words for the parts of the system, and those for a failure that the server reports (D016). */
export const systemWords = {
  database: { working: 'Conectada', failed: 'Desconectada' },
  api: { working: 'Operativa', failed: 'Sin respuesta' },
  email: { working: LABELS.is_active, failed: CLIENT_STATUS_LABELS.inactive },
} as const;
