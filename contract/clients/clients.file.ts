import { LABELS } from '../base/labels.ts';
import {
  EXTERNAL_ID_COLUMN,
  type FileColumns,
  fileOf,
  TAGS_COLUMN,
  YES_OR_NO,
} from '../imports/import-cells.ts';
import {
  CFDI_USE_WORDS,
  CLIENT_STATUS_FLAGS,
  CLIENT_STATUS_WORDS,
  CLIENT_TYPE_WORDS,
  NOTES,
  TAX_CONDITION_WORDS,
  TAX_REGIME_WORDS,
  words,
} from '../imports/import-words.ts';
import { contactsCell, readContactsCell } from '../reading/contact-cells.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from './client-words.ts';
import { CLIENT_LABELS, type ClientField } from './clients.fields.ts';
import type { Client } from './clients.ts';
import { TAX_WORDS } from './tax-words.ts';

/** The columns of client files, in the order in which the import offers them. */
const COLUMNS: FileColumns<
  Client,
  | ClientField
  | 'last_name'
  | 'created_at'
  | 'id'
  | 'license_count'
  | 'active_license_count'
  | 'installation_count'
> = {
  name: {
    form: 'line',
    required: true,
    aliases: words(`
      nombre, nombre completo, nombre y apellido, nombre y apellidos, nombre del cliente, nombre o razon social,
      nombre razon social, nombre denominacion o razon social, nombres, nombre de pila, name, full name, display name,
      client name, customer name, first name, given name, first`),
    weakAliases: words(`
      razon social, cliente, client, customer, denominacion social, denominacion, legal name, company name, account name,
      nombre fantasia`),
  },
  last_name: {
    label: 'Apellidos',
    form: 'line',
    hint: 'Se añaden al nombre.',
    value: null,
    aliases: words('apellidos, apellido, last name, surname, family name, last'),
  },
  email: {
    form: 'line',
    required: true,
    key: true,
    aliases: words(`
      email, correo electronico, correo, mail, email address, direccion de correo,
      direccion de correo electronico, email del cliente, correo del cliente, client email, customer email,
      email principal, main email, primary email, buyer email, user email, email id, emails, correos`),
    weakAliases: words('email secundario, secondary email, email 2, correo 2, otro correo'),
  },
  company: {
    form: 'line',
    aliases: words(`
      empresa, compania, organizacion, nombre comercial, denominacion comercial, nombre de la empresa, razon social,
      nombre fantasia, negocio, company, company name, organization, organization name, business, business name,
      account name, compania relacionada, empresa relacionada, related company, associated company, parent name`),
  },
  phone: {
    form: 'phone',
    expected: true,
    hint: 'De 9 a 15 dígitos, con clave de país. La columna necesita formato de Texto en la hoja.',
    aliases: words(`
      telefono principal, telefono, tel, telefonos, telefono del trabajo, telefono de contacto, celular, movil,
      telefono movil, telefono celular, numero de telefono, whatsapp, main phone, primary phone, phone, phone number,
      phone numbers, business phone, work phone, mobile, mobile phone, mobile phone number, mobile number, cell phone,
      cell, telephone`),
    weakAliases: words('phone 2, telefono 2, telefono particular, home phone'),
    exact: true,
  },
  phone_secondary: {
    form: 'phone_text',
    aliases: words(`
      telefono secundario, telefono 2, otro telefono, telefono alternativo, telefono fijo, telefono particular,
      secondary phone, phone secondary, phone 2, phone 2 value, celular, movil, telefono movil, telefono celular, whatsapp,
      mobile, mobile phone, mobile phone number, mobile number, cell phone, cell, home phone, other phone`),
    weakAliases: words(
      'telefono, telefono 1, tel, phone, phone 1, telefono del trabajo, business phone, work phone',
    ),
    exact: true,
  },
  address: {
    form: 'line',
    aliases: words(`
      direccion, domicilio, calle, calle y numero, domicilio fiscal, direccion fiscal, address, street, street address,
      address line, street line, direccion calle`),
  },
  city: {
    form: 'line',
    aliases: words('ciudad, localidad, poblacion, municipio, city, town, locality, alcaldia, partido'),
  },
  client_type: {
    form: 'choice',
    hint: 'Individual, Pequeña Empresa, Mediana Empresa, Gran Empresa o Corporativo.',
    choices: CLIENT_TYPE_WORDS,
    words: CLIENT_TYPE_LABELS,
    aliases: words('tipo de cliente, tipo cliente, tipo, client type, customer type, type'),
  },
  status: {
    form: 'choice',
    hint: 'Activo, Inactivo, Suspendido o Pendiente.',
    choices: CLIENT_STATUS_WORDS,
    words: CLIENT_STATUS_LABELS,
    flags: CLIENT_STATUS_FLAGS,
    aliases: words('estado, estatus, estado del cliente, situacion, status, customer status, client status'),
  },
  state: {
    form: 'line',
    aliases: words(`
      estado provincia, provincia, provincia o estado, entidad federativa, entidad, departamento, region, estado, state,
      province, state province, state region, province state, state or province, province code, state code`),
  },
  country: {
    form: 'country',
    hint: 'El nombre o el código: México, MX.',
    aliases: words(`
      pais, pais o region, pais region, country, country region, country name, country code, codigo de pais`),
  },
  postal_code: {
    form: 'line',
    exact: true,
    aliases: words(`
      codigo postal, cp, cod postal, postal code, zip, zip code, postcode, zip postal code, postal zip code, zip postal`),
    weakAliases: words('billing code, mailing code'),
  },
  contact_person: {
    form: 'line',
    aliases: words(`
      persona de contacto, contacto, nombre de contacto, contact person, contact, contact name`),
  },
  contact_position: {
    form: 'line',
    aliases: words(`
      cargo, puesto, puesto de trabajo, cargo del contacto, contact position, position, job title, title, job,
      organization title`),
  },
  tax_id: {
    form: 'line',
    exact: true,
    aliases: words(`
      rfc cuit, rfc, cuit, cuil, cuit cuil, nit, nif, cif, nif cif, rut, ruc, cnpj, cpf, cpf cnpj, rnc, rtn,
      identificacion fiscal, id fiscal, numero de identificacion fiscal, identificacion tributaria, tax id, tax number,
      tax id number, tax registration number, vat number, vat id, vat, business vat id`),
    weakAliases: words(
      'identificacion, numero de identificacion, numero de documento, nro documento, documento',
    ),
  },
  tax_regime: {
    header: 'Régimen Fiscal',
    form: 'choice',
    hint: 'El código del SAT o su nombre: 601, 612, 626…',
    choices: TAX_REGIME_WORDS,
    words: TAX_WORDS.tax_regime,
    aliases: words('regimen fiscal, regimen, clave de regimen fiscal, tax regime'),
  },
  cfdi_use: {
    form: 'choice',
    hint: 'El código del SAT o su nombre: G01, G03, S01…',
    choices: CFDI_USE_WORDS,
    words: TAX_WORDS.cfdi_use,
    aliases: words('uso de cfdi, uso cfdi, uso del cfdi, cfdi use'),
  },
  tax_condition: {
    form: 'choice',
    hint: 'El código de ARCA o su nombre: 1, IVA Responsable Inscripto…',
    choices: TAX_CONDITION_WORDS,
    words: TAX_WORDS.tax_condition,
    aliases: words(
      'condicion frente al iva, condicion iva, cond iva, iva, categoria fiscal, situacion iva, tax condition, vat condition',
    ),
  },
  website: {
    form: 'line',
    hint: 'Empieza con http:// o https://.',
    aliases: words(
      'sitio web, pagina web, web, sitio, pagina, url, website, website url, web site, web page, site, homepage',
    ),
  },
  last_contact: {
    form: 'day',
    aliases: words('ultimo contacto, fecha de ultimo contacto, last contact, last contacted'),
  },
  notes: { form: 'paragraph', aliases: NOTES },
  external_id: {
    ...EXTERNAL_ID_COLUMN,
    weakAliases: words(`
      clave, clave cliente, cod cliente, codigo cliente, codigo, cod, numero de cliente, no cliente, num cliente,
      id cliente, client id, customer id, customer number, client number, contact id, account number, record id,
      referencia, reference`),
  },
  reminders: {
    header: 'Recibe avisos',
    form: 'flag',
    hint: YES_OR_NO,
    aliases: words('recibe avisos, avisos, recordatorios, reminders'),
  },
  contacts: {
    value: (client) => contactsCell(client.contacts),
    form: 'contacts',
    hint: 'Luis Pérez <luis@ejemplo.com> +525512345678 [pagos, portal]; uno tras otro con punto y coma. Reciben: claves, avisos, pagos, portal.',
    aliases: words('contactos, otros contactos, personas de contacto, contacts'),
    couldHold: (cell) => readContactsCell(cell) !== null,
  },
  created_at: {
    label: 'Registro',
    form: 'day',
    type: 'moment',
    wordsType: 'day',
    hint: 'Desde cuándo es cliente. Solo para clientes nuevos.',
    aliases: words(`
      registro, fecha de registro, fecha de alta, alta, cliente desde, created at, created,
      customer since`),
  },
  tags: TAGS_COLUMN,
  id: { label: 'ID', type: 'count', computed: (client) => client.id },
  license_count: { label: LABELS.licenses, type: 'count', computed: (client) => client.license_count },
  active_license_count: {
    label: LABELS.active_licenses,
    type: 'count',
    computed: (client) => client.active_license_count,
  },
  installation_count: {
    label: LABELS.installations,
    type: 'count',
    computed: (client) => client.installation_count,
  },
};

export const CLIENT_FILE = fileOf(CLIENT_LABELS, COLUMNS);
