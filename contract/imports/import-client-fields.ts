import type { Client } from '../clients/clients.ts';
import { columnsOf, type FileField, type ImportField } from './import-cells.ts';
import {
  CFDI_USE_WORDS,
  CLIENT_STATUS_WORDS,
  CLIENT_TYPE_WORDS,
  NOTES,
  TAX_CONDITION_WORDS,
  TAX_REGIME_WORDS,
  words,
} from './import-words.ts';

export const EXTERNAL_ID: ImportField & { name: 'external_id'; header: string } = {
  name: 'external_id',
  label: 'Identificador externo',
  header: 'Identificador Externo',
  form: 'line',
  hint: 'El código en otro sistema. No se repite.',
  aliases: words(`
    identificador externo, id externo, codigo externo, clave externa, referencia externa, external id,
    external reference`),
};

/** The columns of client files, in the order in which the import offers them, and columns that only an export has. */
export const CLIENT_FILE: readonly FileField<Client>[] = [
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
    value: null,
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
    form: 'phone_text',
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
    name: 'tax_regime',
    label: 'Régimen Fiscal',
    form: 'choice',
    hint: 'El código del SAT o su nombre: 601, 612, 626…',
    choices: TAX_REGIME_WORDS,
    aliases: words('regimen fiscal, regimen, clave de regimen fiscal, tax regime'),
  },
  {
    name: 'cfdi_use',
    label: 'Uso de CFDI',
    form: 'choice',
    hint: 'El código del SAT o su nombre: G01, G03, S01…',
    choices: CFDI_USE_WORDS,
    aliases: words('uso de cfdi, uso cfdi, uso del cfdi, cfdi use'),
  },
  {
    name: 'tax_condition',
    label: 'Condición frente al IVA',
    form: 'choice',
    hint: 'El código de ARCA o su nombre: 1, IVA Responsable Inscripto…',
    choices: TAX_CONDITION_WORDS,
    aliases: words(
      'condicion frente al iva, condicion iva, condicion de iva, iva, tax condition, vat condition',
    ),
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
  EXTERNAL_ID,
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
  { name: 'id', label: 'ID', computed: (client) => client.id },
  { name: 'license_count', label: 'Licencias', computed: (client) => client.license_count },
  {
    name: 'active_license_count',
    label: 'Licencias Activas',
    computed: (client) => client.active_license_count,
  },
  { name: 'installation_count', label: 'Instalaciones', computed: (client) => client.installation_count },
];

export const CLIENT_COLUMNS = columnsOf(
  CLIENT_FILE,
  `id name email company client_type status phone phone_secondary address city state country postal_code contact_person
  contact_position tax_id website last_contact notes license_count active_license_count installation_count created_at`,
);
