import { LABELS } from '../base/labels.ts';
import { EXTERNAL_ID_COLUMN, type FileColumns, fileOf, YES_OR_NO } from '../imports/import-cells.ts';
import {
  CFDI_USE_WORDS,
  CLIENT_STATUS_WORDS,
  CLIENT_TYPE_WORDS,
  NOTES,
  TAX_CONDITION_WORDS,
  TAX_REGIME_WORDS,
  words,
} from '../imports/import-words.ts';
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
      nombre, nombre completo, nombre y apellido, nombre y apellidos, nombre del cliente, cliente,
      nombres, razon social, name, full name, client name, customer name, client, customer, first name`),
  },
  last_name: {
    label: 'Apellidos',
    form: 'line',
    hint: 'Se añaden al nombre.',
    value: null,
    aliases: words('apellidos, apellido, last name, surname, family name'),
  },
  email: {
    form: 'line',
    required: true,
    key: true,
    aliases: words(`
      email, correo electronico, correo, mail, e mail, email address, direccion de correo,
      direccion de correo electronico, email del cliente, correo del cliente, email cliente,
      client email, customer email`),
  },
  company: {
    form: 'line',
    aliases: words(`
      empresa, compania, organizacion, nombre comercial, razon social, negocio, company, company name,
      organization, business`),
  },
  phone: {
    form: 'phone',
    required: true,
    hint: 'De 9 a 15 dígitos, con clave de país. La columna necesita formato de Texto en la hoja.',
    aliases: words(`
      telefono principal, telefono, tel, celular, movil, telefono movil, telefono celular,
      numero de telefono, whatsapp, phone, phone number, mobile, mobile phone, cell phone, telephone`),
  },
  phone_secondary: {
    form: 'phone_text',
    aliases: words(`
      telefono secundario, telefono 2, otro telefono, telefono alternativo, telefono fijo,
      secondary phone, phone secondary, phone 2, celular, movil, mobile`),
  },
  address: {
    form: 'line',
    aliases: words('direccion, domicilio, calle, calle y numero, address, street, street address'),
  },
  city: {
    form: 'line',
    aliases: words('ciudad, localidad, municipio, poblacion, city, town'),
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
    aliases: words('estado, estatus, estado del cliente, situacion, status'),
  },
  state: {
    form: 'line',
    aliases: words(`
      estado provincia, provincia, entidad federativa, entidad, departamento, region, estado, state,
      province, state province`),
  },
  country: { form: 'line', aliases: words('pais, country') },
  postal_code: {
    form: 'line',
    aliases: words('codigo postal, cp, c p, postal code, zip, zip code, postcode'),
  },
  contact_person: {
    form: 'line',
    aliases: words(`
      persona de contacto, contacto, nombre de contacto, contact person, contact, contact name`),
  },
  contact_position: {
    form: 'line',
    aliases: words('cargo, puesto, cargo del contacto, contact position, position, job title'),
  },
  tax_id: {
    form: 'line',
    aliases: words(`
      rfc cuit, rfc, cuit, cuil, nit, rut, ruc, cnpj, identificacion fiscal, id fiscal, tax id,
      vat number, vat id`),
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
      'condicion frente al iva, condicion iva, condicion de iva, iva, tax condition, vat condition',
    ),
  },
  website: {
    form: 'line',
    hint: 'Empieza con http:// o https://.',
    aliases: words('sitio web, pagina web, web, sitio, url, website, web site, site'),
  },
  last_contact: {
    form: 'day',
    aliases: words('ultimo contacto, fecha de ultimo contacto, last contact, last contacted'),
  },
  notes: { form: 'paragraph', aliases: NOTES },
  external_id: EXTERNAL_ID_COLUMN,
  reminders: {
    header: 'Recibe avisos',
    form: 'flag',
    hint: YES_OR_NO,
    aliases: words('recibe avisos, avisos, recordatorios, reminders'),
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
