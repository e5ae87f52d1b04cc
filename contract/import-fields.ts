import {
  CATEGORY_WORDS,
  CLIENT_STATUS_WORDS,
  CLIENT_TYPE_WORDS,
  CURRENCY_WORDS,
  LICENSE_STATUS_WORDS,
  NOTES,
  words,
} from './import-words.ts';
import { CURRENCIES } from './money.ts';

/** What a spreadsheet may bring: the fields of each kind, and how its headers are recognised (IMPORT-01). */

export const IMPORT_KINDS = ['clients', 'software', 'licenses'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** How the text of a cell is read. */
export type CellForm =
  | 'line'
  | 'paragraph'
  | 'phone'
  | 'amount'
  | 'percent'
  | 'count'
  | 'day'
  | 'flag'
  | 'choice';

/** A field that a column can be mapped to. */
export type ImportField = {
  /** Its name in `mapping` and in `errors`. */
  name: string;
  label: string;
  form: CellForm;
  /** A new record cannot do without it. */
  required?: true;
  /** The records of the file are found by it, together with the other key fields. */
  key?: true;
  /** Said beside the label: what the field expects. */
  hint?: string;
  /** Headers that mean this field, in Spanish and English, the surest first; as headerKey writes them. */
  aliases: readonly string[];
  /** The words of a choice: its values, each with what people write for it. */
  choices?: Readonly<Record<string, readonly string[]>>;
};

const CLIENT_FIELDS: readonly ImportField[] = [
  {
    name: 'name',
    label: 'Nombre',
    form: 'line',
    required: true,
    aliases: words(`
      nombre, nombre completo, nombre y apellido, nombre y apellidos, nombre del cliente, cliente,
      nombres, razon social, name, full name, client name, customer name, client, customer, first name`),
  },
  {
    name: 'last_name',
    label: 'Apellidos',
    form: 'line',
    hint: 'Se añaden al nombre.',
    aliases: words('apellidos, apellido, last name, surname, family name'),
  },
  {
    name: 'email',
    label: 'Email',
    form: 'line',
    required: true,
    key: true,
    aliases: words(`
      email, correo electronico, correo, mail, e mail, email address, direccion de correo,
      direccion de correo electronico, email del cliente, correo del cliente, email cliente,
      client email, customer email`),
  },
  {
    name: 'company',
    label: 'Empresa',
    form: 'line',
    aliases: words(`
      empresa, compania, organizacion, nombre comercial, razon social, negocio, company, company name,
      organization, business`),
  },
  {
    name: 'phone',
    label: 'Teléfono Principal',
    form: 'phone',
    required: true,
    hint: 'De 9 a 15 dígitos, con clave de país. La columna necesita formato de Texto en la hoja.',
    aliases: words(`
      telefono principal, telefono, tel, celular, movil, telefono movil, telefono celular,
      numero de telefono, whatsapp, phone, phone number, mobile, mobile phone, cell phone, telephone`),
  },
  {
    name: 'phone_secondary',
    label: 'Teléfono Secundario',
    form: 'phone',
    aliases: words(`
      telefono secundario, telefono 2, otro telefono, telefono alternativo, telefono fijo,
      secondary phone, phone secondary, phone 2, celular, movil, mobile`),
  },
  {
    name: 'address',
    label: 'Dirección',
    form: 'line',
    aliases: words('direccion, domicilio, calle, calle y numero, address, street, street address'),
  },
  {
    name: 'city',
    label: 'Ciudad',
    form: 'line',
    aliases: words('ciudad, localidad, municipio, poblacion, city, town'),
  },
  {
    name: 'client_type',
    label: 'Tipo de Cliente',
    form: 'choice',
    hint: 'Individual, Pequeña Empresa, Mediana Empresa, Gran Empresa o Corporativo.',
    choices: CLIENT_TYPE_WORDS,
    aliases: words('tipo de cliente, tipo cliente, tipo, client type, customer type, type'),
  },
  {
    name: 'status',
    label: 'Estado',
    form: 'choice',
    hint: 'Activo, Inactivo, Suspendido o Pendiente.',
    choices: CLIENT_STATUS_WORDS,
    aliases: words('estado, estatus, estado del cliente, situacion, status'),
  },
  {
    name: 'state',
    label: 'Estado/Provincia',
    form: 'line',
    aliases: words(`
      estado provincia, provincia, entidad federativa, entidad, departamento, region, estado, state,
      province, state province`),
  },
  { name: 'country', label: 'País', form: 'line', aliases: words('pais, country') },
  {
    name: 'postal_code',
    label: 'Código Postal',
    form: 'line',
    aliases: words('codigo postal, cp, c p, postal code, zip, zip code, postcode'),
  },
  {
    name: 'contact_person',
    label: 'Persona de Contacto',
    form: 'line',
    aliases: words(`
      persona de contacto, contacto, nombre de contacto, contact person, contact, contact name`),
  },
  {
    name: 'contact_position',
    label: 'Cargo',
    form: 'line',
    aliases: words('cargo, puesto, cargo del contacto, contact position, position, job title'),
  },
  {
    name: 'tax_id',
    label: 'RFC/CUIT',
    form: 'line',
    aliases: words(`
      rfc cuit, rfc, cuit, cuil, nit, rut, ruc, cnpj, identificacion fiscal, id fiscal, tax id,
      vat number, vat id`),
  },
  {
    name: 'website',
    label: 'Sitio Web',
    form: 'line',
    hint: 'Empieza con http:// o https://.',
    aliases: words('sitio web, pagina web, web, sitio, url, website, web site, site'),
  },
  {
    name: 'last_contact',
    label: 'Último Contacto',
    form: 'day',
    aliases: words('ultimo contacto, fecha de ultimo contacto, last contact, last contacted'),
  },
  { name: 'notes', label: 'Notas', form: 'paragraph', aliases: NOTES },
  {
    name: 'reminders',
    label: 'Recibe avisos',
    form: 'flag',
    hint: 'Sí o No.',
    aliases: words('recibe avisos, avisos, recordatorios, reminders'),
  },
  {
    name: 'created_at',
    label: 'Registro',
    form: 'day',
    hint: 'Desde cuándo es cliente. Solo para clientes nuevos.',
    aliases: words(`
      registro, fecha de registro, fecha de alta, alta, cliente desde, created at, created,
      customer since`),
  },
];

const SOFTWARE_FIELDS: readonly ImportField[] = [
  {
    name: 'name',
    label: 'Nombre',
    form: 'line',
    required: true,
    key: true,
    aliases: words(`
      nombre, software, producto, programa, sistema, aplicacion, nombre del software, name, product,
      program, application`),
  },
  {
    name: 'version',
    label: 'Versión',
    form: 'line',
    required: true,
    key: true,
    aliases: words('version, ver, release'),
  },
  {
    name: 'description',
    label: 'Descripción',
    form: 'paragraph',
    aliases: words('descripcion, detalle, notas, observaciones, notes, description, details'),
  },
  {
    name: 'is_active',
    label: 'Activo',
    form: 'flag',
    hint: 'Sí o No.',
    aliases: words('activo, activa, estado, vigente, is active, active, status'),
  },
  {
    name: 'created_at',
    label: 'Creado',
    form: 'day',
    hint: 'Solo para software nuevo.',
    aliases: words('creado, fecha de creacion, created at, created'),
  },
  {
    name: 'updated_at',
    label: 'Actualizado',
    form: 'day',
    hint: 'Solo para software nuevo.',
    aliases: words('actualizado, fecha de actualizacion, updated at, updated'),
  },
];

const LICENSE_FIELDS_OF_FILE: readonly ImportField[] = [
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
  { name: 'notes', label: 'Notas', form: 'paragraph', aliases: NOTES },
];

/** The fields of each kind, in the order in which they are offered. */
export const IMPORT_FIELDS: Record<ImportKind, readonly ImportField[]> = {
  clients: CLIENT_FIELDS,
  software: SOFTWARE_FIELDS,
  licenses: LICENSE_FIELDS_OF_FILE,
};
