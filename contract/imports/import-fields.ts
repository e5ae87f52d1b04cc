import { CURRENCIES } from '../base/money.ts';
import type { LicenseRow } from '../licenses/licenses.ts';
import { SOFTWARE_FILE } from '../software/software.file.ts';
import { columnsOf, type FileField, type ImportField, importedOf } from './import-cells.ts';
import { CLIENT_COLUMNS, CLIENT_FILE, EXTERNAL_ID } from './import-client-fields.ts';
import {
  CATEGORY_WORDS,
  CURRENCY_WORDS,
  LICENSE_STATUS_WORDS,
  NOTES,
  SEAT_MODE_WORDS,
  START_MODE_WORDS,
  UNLIMITED,
  words,
} from './import-words.ts';

export type { CellForm, ImportField } from './import-cells.ts';

/**
 * The columns of each kind's files: which fields an import accepts, how it recognises headers, what an export writes
 * (IMPORT-01).
 */

export const IMPORT_KINDS = ['clients', 'software', 'licenses'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

const LICENSE_FILE: readonly FileField<LicenseRow>[] = [
  {
    name: 'license_key',
    label: 'Clave de Licencia',
    form: 'line',
    key: true,
    hint: 'Se conserva la que ya tiene. Sin clave, la licencia nueva recibe una.',
    aliases: words(`
      clave de licencia, clave, licencia, serial, numero de serie, codigo de licencia, license key,
      licence key, key, serial number, license`),
  },
  {
    name: 'client',
    label: 'Email del cliente',
    header: 'Email',
    value: (license) => license.client_email,
    form: 'line',
    required: true,
    hint: 'El cliente ya debe existir.',
    aliases: words(`
      email del cliente, correo del cliente, email cliente, correo cliente, client email, customer email,
      email, correo electronico, correo, mail, e mail, cliente, client, customer`),
  },
  {
    name: 'software',
    label: 'Software',
    value: (license) => license.software_name,
    form: 'line',
    required: true,
    hint: 'El nombre de un software que ya existe.',
    aliases: words(`
      software, producto, programa, sistema, aplicacion, nombre del software, product, program,
      application`),
  },
  {
    name: 'software_version',
    label: 'Versión',
    form: 'line',
    hint: 'Hace falta cuando el software tiene varias versiones.',
    aliases: words('version, version del software, software version, ver, release'),
  },
  {
    name: 'license_type_config',
    label: 'Tipo de Licencia',
    value: (license) => license.license_type_name,
    form: 'line',
    hint: 'El nombre de un tipo de licencia que ya existe. Basta el tipo o la categoría.',
    aliases: words(`
      tipo de licencia, nombre del tipo, plan, tipo, license type, type, license type name`),
  },
  {
    name: 'license_type',
    label: 'Categoría',
    form: 'choice',
    hint: 'Trial, Básica, Premium, Empresarial, Abono, Pack, Individual o Promocional.',
    choices: CATEGORY_WORDS,
    aliases: words(`
      categoria, categoria de licencia, category, tipo de licencia, tipo, license type, type`),
  },
  {
    name: 'status',
    label: 'Estado',
    form: 'choice',
    hint: 'Activa, Expirada, Suspendida, Cancelada, Inactiva o Trial.',
    choices: LICENSE_STATUS_WORDS,
    aliases: words('estado, estatus, estado de la licencia, situacion, status'),
  },
  {
    name: 'price',
    label: 'Precio',
    form: 'amount',
    required: true,
    hint: 'Solo el número. La moneda va en su columna.',
    aliases: words('precio, importe, monto, precio final, total, price, amount'),
  },
  {
    name: 'currency',
    label: 'Moneda',
    form: 'choice',
    hint: `${CURRENCIES.join(', ')}.`,
    choices: CURRENCY_WORDS,
    aliases: words('moneda, divisa, currency'),
  },
  {
    name: 'original_price',
    label: 'Precio Original',
    form: 'amount',
    aliases: words('precio original, precio de lista, precio lista, original price, list price'),
  },
  {
    name: 'discount_percentage',
    label: 'Descuento (%)',
    form: 'percent',
    aliases: words(`
      descuento %, descuento, % descuento, porcentaje de descuento, discount %, discount,
      discount percentage`),
  },
  {
    name: 'promotion_name',
    label: 'Nombre de Promoción',
    form: 'line',
    aliases: words('nombre de promocion, promocion, promotion name, promotion'),
  },
  {
    name: 'promotion_description',
    label: 'Descripción de Promoción',
    form: 'paragraph',
    aliases: words('descripcion de promocion, promotion description'),
  },
  {
    name: 'max_installations',
    label: 'Máximo de Instalaciones',
    form: 'count',
    aliases: words(`
      maximo de instalaciones, max instalaciones, equipos, puestos, asientos, usuarios,
      cantidad de equipos, max installations, seats, max seats, devices`),
  },
  {
    name: 'issued_date',
    label: 'Fecha de Emisión',
    form: 'day',
    hint: 'Solo para licencias nuevas. Sin fecha, es la de la importación.',
    aliases: words(`
      fecha de emision, emision, fecha de alta, alta, fecha de inicio, inicio, fecha de compra,
      fecha de venta, issued date, issue date, issued, start date, purchase date`),
  },
  {
    name: 'expiry_days',
    label: 'Días de Expiración',
    form: 'count',
    aliases: words(`
      dias de expiracion, dias, vigencia, vigencia en dias, dias de vigencia, expiry days, days,
      validity days`),
  },
  {
    name: 'expiry_date',
    label: 'Fecha de Expiración',
    form: 'day',
    hint: 'Un guion (-) si no vence. Con fecha y días, cuenta la fecha.',
    aliases: words(`
      fecha de expiracion, expiracion, expira, fecha de vencimiento, vencimiento, vence, vence el,
      valida hasta, fecha de fin, fin, expiry date, expiration date, expires, expires at, end date,
      valid until`),
  },
  {
    name: 'grace_days',
    label: 'Días de gracia',
    form: 'count',
    aliases: words('dias de gracia, gracia, grace days'),
  },
  {
    name: 'offline_days',
    label: 'Días sin conexión',
    form: 'count',
    aliases: words('dias sin conexion, sin conexion, offline days'),
  },
  {
    name: 'features',
    label: 'Características',
    value: (license) => JSON.stringify(license.features),
    form: 'features',
    hint: 'Como en la exportación: {"modulo_nomina":true,"usuarios":25}.',
    aliases: words('caracteristicas, funciones, modulos, features'),
  },
  {
    name: 'meters',
    label: 'Contadores',
    value: (license) => JSON.stringify(license.meters),
    form: 'meters',
    hint: 'Como en la exportación: {"facturas":{"limit":500,"period":"month","overage":"refuse"}}.',
    aliases: words('contadores, medidores, consumos, meters'),
  },
  {
    name: 'seat_mode',
    label: 'Asientos',
    form: 'choice',
    hint: 'Fijos o Flotantes.',
    choices: SEAT_MODE_WORDS,
    aliases: words('asientos, modo de asientos, seat mode'),
  },
  {
    name: 'lease_minutes',
    label: 'Minutos de préstamo',
    form: 'count',
    hint: 'Solo con lugares flotantes.',
    aliases: words('minutos de prestamo, prestamo, lease minutes'),
  },
  {
    name: 'self_release',
    label: 'Liberación por el programa',
    form: 'flag',
    hint: 'Sí o No.',
    aliases: words('liberacion por el programa, self release'),
  },
  {
    name: 'releases_per_month',
    label: 'Liberaciones por mes',
    // The export writes 'Sin límite', because an import reads an empty cell as 'take the value of the type'.
    value: (license) => license.releases_per_month ?? UNLIMITED,
    form: 'count',
    none: UNLIMITED,
    hint: 'Sin límite, o un número.',
    aliases: words('liberaciones por mes, releases per month'),
  },
  {
    name: 'start_mode',
    label: 'Empieza',
    form: 'choice',
    hint: 'Al emitir o Al activarse.',
    choices: START_MODE_WORDS,
    aliases: words('empieza, inicio del plazo, start mode'),
  },
  {
    name: 'activate_by_days',
    label: 'Días para activarla',
    form: 'count',
    hint: 'Solo si empieza al activarse.',
    aliases: words('dias para activarla, dias para activar, activate by days'),
  },
  {
    name: 'updates_until',
    label: 'Actualizaciones hasta',
    // The export writes 'Sin límite', because an import reads an empty cell as 'take the value of the type'.
    value: (license) => license.updates_until ?? UNLIMITED,
    form: 'day',
    none: UNLIMITED,
    hint: 'Sin límite, o el último día cuyas versiones incluye.',
    aliases: words(`
      actualizaciones hasta, actualizaciones, mantenimiento hasta, soporte hasta, updates until,
      maintenance until`),
  },
  { name: 'notes', label: 'Notas', form: 'paragraph', aliases: NOTES },
  EXTERNAL_ID,
  { name: 'id', label: 'ID', computed: (license) => license.id },
  { name: 'client_name', label: 'Cliente', computed: (license) => license.client_name },
  {
    name: 'current_installations',
    label: 'Instalaciones',
    computed: (license) => license.current_installations,
  },
];

/** The fields that an import accepts for each kind, in the order in which they are offered. */
export const IMPORT_FIELDS: Record<ImportKind, readonly ImportField[]> = {
  clients: importedOf(CLIENT_FILE),
  software: importedOf(SOFTWARE_FILE),
  licenses: importedOf(LICENSE_FILE),
};

/** The columns of each export. */
export const EXPORT_COLUMNS = {
  clients: CLIENT_COLUMNS,
  software: columnsOf(SOFTWARE_FILE, 'id name version description is_active active_licenses_count'),
  licenses: columnsOf(
    LICENSE_FILE,
    `id license_key client_name client software software_version license_type license_type_config status price
    original_price discount_percentage promotion_name promotion_description current_installations max_installations
    issued_date expiry_days expiry_date notes currency external_id`,
  ),
};
