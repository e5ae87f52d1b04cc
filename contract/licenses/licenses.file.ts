import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { inSentence, LABELS } from '../base/labels.ts';
import { COUNT_MAX } from '../base/limits.ts';
import { CURRENCIES } from '../base/money.ts';
import {
  EXTERNAL_ID_COLUMN,
  type FileColumns,
  fileOf,
  TAGS_COLUMN,
  YES_OR_NO,
} from '../imports/import-cells.ts';
import {
  CATEGORY_WORDS,
  CURRENCY_WORDS,
  LICENSE_STATUS_FLAGS,
  LICENSE_STATUS_WORDS,
  NO_END_WORDS,
  NOTES,
  SEAT_MODE_WORDS,
  START_MODE_WORDS,
  UNLIMITED,
  UNLIMITED_WORDS,
  words,
} from '../imports/import-words.ts';
import { shownState } from './license-state.ts';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATE_LABELS, LICENSE_STATUS_LABELS } from './license-words.ts';
import { LICENSE_LABELS, type LicenseField } from './licenses.fields.ts';
import type { LicenseRow } from './licenses.ts';
import { SEAT_MODE_LABELS, START_MODE_LABELS } from './sale-words.ts';

/** The columns of licence files, in the order in which the import offers them. */
const COLUMNS: FileColumns<
  LicenseRow,
  | LicenseField
  | 'license_key'
  | 'software_version'
  | 'issued_date'
  | 'id'
  | 'situation'
  | 'client_name'
  | 'current_installations'
> = {
  license_key: {
    form: 'line',
    key: true,
    exact: true,
    hint: 'Se conserva la que ya tiene. Sin clave, la licencia nueva recibe una.',
    aliases: words(`
      clave de licencia, clave, licencia, serial, numero de serie, codigo de licencia, clave de producto, license key,
      licence key, key, product key, activation key, serial number, serial key, license code, license number, license`),
  },
  client: {
    label: 'Email del cliente',
    header: DETAIL_LABELS.email,
    value: (license) => license.client_email,
    form: 'line',
    required: true,
    hint: 'El cliente ya debe existir, salvo que se creen los que faltan.',
    aliases: words(`
      email del cliente, correo del cliente, correo electronico del cliente, client email, customer email, user email,
      buyer email, purchase email, billing email, owner email, licensee email, email, correo electronico, correo, mail,
      email address`),
    weakAliases: words('cliente, client, customer, user, owner, licensee, buyer, comprador, usuario'),
    couldHold: (cell) => cell.includes('@'),
  },
  client_name: {
    label: 'Nombre del cliente',
    header: LABELS.client,
    form: 'line',
    hint: 'Para los clientes que se crean con sus licencias.',
    aliases: words(`
      nombre del cliente, client name, customer name, buyer name, user name, owner name, licensee name, billing name,
      nombre del comprador`),
    weakAliases: words(`
      cliente, client, customer, buyer, comprador, owner, licensee, titular, razon social, full name, nombre completo`),
    couldHold: (cell) => !cell.includes('@'),
  },
  software: {
    value: (license) => license.software_name,
    form: 'line',
    required: true,
    hint: 'El nombre de un software que ya existe.',
    aliases: words(`
      software, producto, programa, sistema, aplicacion, nombre del software, nombre del producto, product, product name,
      software name, program, application, app, item name, item`),
  },
  software_version: {
    label: DETAIL_LABELS.version,
    form: 'line',
    hint: 'Sin versión se toma la más reciente.',
    aliases: words('version, version del software, software version, product version, ver, release'),
  },
  license_type_config: {
    value: (license) => license.license_type_name,
    form: 'line',
    hint: 'El nombre de un tipo de licencia que ya existe. Basta el tipo o la categoría.',
    aliases: words(`
      tipo de licencia, nombre del tipo, plan, tipo, license type, type, license type name`),
  },
  license_type: {
    form: 'choice',
    hint: 'Trial, Básica, Premium, Empresarial, Abono, Pack, Individual o Promocional.',
    choices: CATEGORY_WORDS,
    words: LICENSE_CATEGORY_LABELS,
    aliases: words(`
      categoria, categoria de licencia, category, tipo de licencia, tipo, license type, type`),
  },
  status: {
    form: 'choice',
    hint: 'Activa, Expirada, Suspendida, Cancelada, Inactiva o Trial.',
    choices: LICENSE_STATUS_WORDS,
    words: LICENSE_STATUS_LABELS,
    flags: LICENSE_STATUS_FLAGS,
    // 'Situación' is the column beside it in an export: what a program would hear, which nobody can set (INPUT-15).
    aliases: words('estado, estatus, estado de la licencia, status, license status, lic status, state'),
  },
  price: {
    form: 'amount',
    currency: ({ currency }) => currency,
    required: true,
    hint: 'Un número, con o sin su moneda. La moneda tiene su columna.',
    aliases: words('precio, importe, monto, precio final, total, price, sale price, amount, amount paid'),
  },
  currency: {
    form: 'choice',
    hint: `${CURRENCIES.join(', ')}.`,
    choices: CURRENCY_WORDS,
    aliases: words('moneda, divisa, currency'),
  },
  original_price: {
    form: 'amount',
    currency: ({ currency }) => currency,
    aliases: words('precio original, precio de lista, precio lista, original price, list price'),
  },
  discount_percentage: {
    form: 'percent',
    aliases: words(`
      descuento %, descuento, % descuento, porcentaje de descuento, discount %, discount,
      discount percentage`),
  },
  promotion_name: {
    form: 'line',
    aliases: words('nombre de promocion, promocion, promotion name, promotion'),
  },
  promotion_description: {
    form: 'paragraph',
    aliases: words('descripcion de promocion, promotion description'),
  },
  max_installations: {
    form: 'count',
    unlimited: COUNT_MAX,
    aliases: words(`
      maximo de instalaciones, max instalaciones, limite de activaciones, activaciones permitidas, equipos, puestos,
      asientos, usuarios, cantidad de equipos, max installations, activation limit, activations limit, license limit,
      allowed activations, max activations, maximum activations, times activated max, max machines, max devices,
      max allowed domains, allowed uses, max uses, user limit, device limit, machine limit, seats, max seats, number of
      seats, quantity of seats, devices, quota`),
  },
  issued_date: {
    form: 'day',
    type: 'moment',
    wordsType: 'day',
    hint: 'Solo para licencias nuevas. Sin fecha, es la de la importación.',
    aliases: words(`
      fecha de emision, emision, fecha de alta, alta, fecha de inicio, inicio, fecha de compra,
      fecha de venta, issued date, issue date, issued, issued at, issued on, start date, purchase date, purchased at,
      sale date, date created, created at, created, created on, creation date, fecha de creacion, creada, creado`),
  },
  expiry_days: {
    form: 'count',
    none: NO_END_WORDS,
    aliases: words(`
      dias de expiracion, dias, vigencia, vigencia en dias, dias de vigencia, expiry days, days, validity days,
      validity in days, duration days`),
  },
  expiry_date: {
    form: 'day',
    none: NO_END_WORDS,
    hint: 'Un guion (-) si no vence. Con fecha y días, cuenta la fecha.',
    aliases: words(`
      fecha de expiracion, expiracion, expira, fecha de vencimiento, vencimiento, vence, vence el,
      valida hasta, fecha de fin, fin, fecha de caducidad, caducidad, caduca, expiry date, expiration date, date expiry,
      expires, expires at, expires on, expiry, expiration, end date, ends at, valid until, valid to, valid through`),
  },
  grace_days: {
    header: inSentence(LICENSE_LABELS.grace_days),
    form: 'count',
    aliases: words('dias de gracia, gracia, grace days'),
  },
  offline_days: {
    header: 'Días sin conexión',
    form: 'count',
    aliases: words('dias sin conexion, sin conexion, offline days'),
  },
  features: {
    value: (license) => JSON.stringify(license.features),
    form: 'features',
    hint: 'Como en la exportación: {"modulo_nomina":true,"usuarios":25}.',
    aliases: words('caracteristicas, funciones, modulos, features'),
  },
  meters: {
    value: (license) => JSON.stringify(license.meters),
    form: 'meters',
    hint: 'Como en la exportación: {"facturas":{"limit":500,"period":"month","overage":"refuse"}}.',
    aliases: words('contadores, medidores, consumos, meters'),
  },
  seat_mode: {
    header: 'Asientos',
    form: 'choice',
    hint: 'Fijos o Flotantes.',
    choices: SEAT_MODE_WORDS,
    words: SEAT_MODE_LABELS,
    aliases: words('asientos, modo de asientos, seat mode'),
  },
  lease_minutes: {
    header: 'Minutos de préstamo',
    form: 'count',
    hint: 'Solo con lugares flotantes.',
    aliases: words('minutos de prestamo, prestamo, lease minutes'),
  },
  self_release: {
    header: 'Liberación por el programa',
    form: 'flag',
    hint: YES_OR_NO,
    aliases: words('liberacion por el programa, self release'),
  },
  releases_per_month: {
    header: 'Liberaciones por mes',
    // The export writes 'Sin límite', because an import reads an empty cell as 'take the value of the type'.
    value: (license) => license.releases_per_month ?? UNLIMITED,
    form: 'count',
    none: UNLIMITED_WORDS,
    hint: 'Sin límite, o un número.',
    aliases: words('liberaciones por mes, releases per month'),
  },
  start_mode: {
    form: 'choice',
    hint: 'Al emitir o Al activarse.',
    choices: START_MODE_WORDS,
    words: START_MODE_LABELS,
    aliases: words('empieza, inicio del plazo, start mode'),
  },
  activate_by_days: {
    form: 'count',
    hint: 'Solo si empieza al activarse.',
    aliases: words('dias para activarla, dias para activar, activate by days'),
  },
  updates_until: {
    // The export writes 'Sin límite', because an import reads an empty cell as 'take the value of the type'.
    value: (license) => license.updates_until ?? UNLIMITED,
    form: 'day',
    none: UNLIMITED_WORDS,
    hint: 'Sin límite, o el último día cuyas versiones incluye.',
    aliases: words(`
      actualizaciones hasta, actualizaciones, mantenimiento hasta, soporte hasta, updates until,
      maintenance until`),
  },
  notes: { form: 'paragraph', aliases: NOTES },
  external_id: {
    ...EXTERNAL_ID_COLUMN,
    weakAliases: words(`
      order id, order number, id pedido, numero de pedido, pedido, order, purchase id, sale id, transaction id, txn id`),
  },
  tags: TAGS_COLUMN,
  complimentary: {
    form: 'flag',
    hint: 'Sí o No. Una cortesía no tiene precio.',
    aliases: words(
      'cortesia, es cortesia, licencia de cortesia, sin costo, complimentary, courtesy, free of charge',
    ),
  },
  expiry_months: {
    form: 'count',
    hint: 'De 1 a 120. Vacío, el plazo cuenta en días.',
    aliases: words(`
      meses de expiracion, meses, vigencia en meses, meses de vigencia, meses de validez, expiry months, months,
      validity months, duration months`),
  },
  id: { label: 'ID', type: 'count', computed: (license) => license.id },
  situation: {
    label: 'Situación',
    type: 'text',
    computed: () => null,
    words: (license, { now, timeZone }) => LICENSE_STATE_LABELS[shownState(license, now, timeZone)],
    onlyInWords: true,
  },
  current_installations: {
    label: LABELS.installations,
    type: 'count',
    computed: (license) => license.current_installations,
  },
};

export const LICENSE_FILE = fileOf(LICENSE_LABELS, COLUMNS);
