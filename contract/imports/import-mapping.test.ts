import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { IMPORT_FIELDS, type ImportKind } from './import-fields.ts';
import { type ImportMapping, missingFields, suggestMapping } from './import-mapping.ts';

const FILES = new URL('../../test/files/other-programs/', import.meta.url);
const EXPECTED: Record<string, { kind: ImportKind; mapping: Record<string, string> }> = JSON.parse(
  readFileSync(new URL('expected.json', FILES), 'utf8'),
);

/** The columns that are mapped. */
const mapped = (mapping: ImportMapping) =>
  Object.fromEntries(Object.entries(mapping).filter(([, field]) => field !== null));

const suggested = (kind: ImportKind, columns: string, ...rows: string[]) =>
  mapped(
    suggestMapping(
      kind,
      columns.split(','),
      rows.map((row) => row.split(',')),
    ),
  );

test.each(Object.entries(EXPECTED))('%s maps by itself as expected (INPUT-20)', (file, { kind, mapping }) => {
  const text = readFileSync(new URL(file, FILES), 'utf8');
  const [columns, ...rows]: string[][] = parse(text, { bom: true, delimiter: [',', ';'] });
  expect(mapped(suggestMapping(kind, columns!, rows))).toEqual(mapping);
});

describe('headers of other programs are recognised (INPUT-20)', () => {
  test.each<[string, ImportKind, string, string, Record<string, string>]>([
    [
      'HubSpot',
      'clients',
      'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Company Name,Job Title,Street Address,City,State/Region,Postal Code,Country/Region,Website URL,Lead Status',
      '51,Ana,Ríos,ana@uno.example,5512345678,5587654321,Uno,Dueña,Av. 1,Puebla,Puebla,72000,México,https://uno.example,OPEN',
      {
        'Record ID': 'external_id',
        'First Name': 'name',
        'Last Name': 'last_name',
        Email: 'email',
        'Phone Number': 'phone',
        'Mobile Phone Number': 'phone_secondary',
        'Company Name': 'company',
        'Job Title': 'contact_position',
        'Street Address': 'address',
        City: 'city',
        'State/Region': 'state',
        'Postal Code': 'postal_code',
        'Country/Region': 'country',
        'Website URL': 'website',
      },
    ],
    [
      'Zoho',
      'clients',
      'Contact ID,Display Name,Company Name,First Name,Last Name,EmailID,Phone,MobilePhone,Billing Address,Billing City,Billing State,Billing Country,Billing Code,Status',
      '9,Ana Ríos,Uno,Ana,Ríos,ana@uno.example,5512345678,5587654321,Av. 1,Puebla,Puebla,México,72000,Active',
      {
        'Contact ID': 'external_id',
        'Display Name': 'name',
        'Company Name': 'company',
        EmailID: 'email',
        Phone: 'phone',
        MobilePhone: 'phone_secondary',
        'Billing Address': 'address',
        'Billing City': 'city',
        'Billing State': 'state',
        'Billing Country': 'country',
        'Billing Code': 'postal_code',
        Status: 'status',
      },
    ],
    [
      'Mailchimp',
      'clients',
      'Email Address,First Name,Last Name,Address,Phone Number,MEMBER_RATING,NOTES,TAGS',
      'ana@uno.example,Ana,Ríos,Av. 1,5512345678,4,,vip',
      {
        'Email Address': 'email',
        'First Name': 'name',
        'Last Name': 'last_name',
        Address: 'address',
        'Phone Number': 'phone',
        NOTES: 'notes',
        TAGS: 'tags',
      },
    ],
    [
      'Salesforce',
      'clients',
      'FirstName,LastName,Account Name,Title,Email,Phone,Mobile,MailingStreet,MailingCity,Mailing State/Province,Mailing Zip/Postal Code,MailingCountry',
      'Ana,Ríos,Uno,Dueña,ana@uno.example,5512345678,,Av. 1,Puebla,Puebla,72000,MX',
      {
        FirstName: 'name',
        LastName: 'last_name',
        'Account Name': 'company',
        Title: 'contact_position',
        Email: 'email',
        Phone: 'phone',
        Mobile: 'phone_secondary',
        MailingStreet: 'address',
        MailingCity: 'city',
        'Mailing State/Province': 'state',
        'Mailing Zip/Postal Code': 'postal_code',
        MailingCountry: 'country',
      },
    ],
    [
      'Shopify',
      'clients',
      'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Total Spent,Note',
      "'7,Ana,Ríos,ana@uno.example,yes,Uno,Av. 1,,Puebla,PUE,MX,'72000,,+525512345678,100.00,",
      {
        'Customer ID': 'external_id',
        'First Name': 'name',
        'Last Name': 'last_name',
        Email: 'email',
        'Default Address Company': 'company',
        'Default Address Address1': 'address',
        'Default Address City': 'city',
        'Default Address Province Code': 'state',
        'Default Address Country Code': 'country',
        'Default Address Zip': 'postal_code',
        'Default Address Phone': 'phone_secondary',
        Phone: 'phone',
        Note: 'notes',
      },
    ],
    [
      'QuickBooks',
      'clients',
      'Customer,Main Email,Main Phone,Bill To,Billing Street,Billing City,Billing State,Billing ZIP,Billing Country,Tax ID,Open Balance',
      'Uno SA,pagos@uno.example,5512345678,,Av. 1,Puebla,Puebla,72000,México,TUN010101AB1,0',
      {
        Customer: 'name',
        'Main Email': 'email',
        'Main Phone': 'phone',
        'Billing Street': 'address',
        'Billing City': 'city',
        'Billing State': 'state',
        'Billing ZIP': 'postal_code',
        'Billing Country': 'country',
        'Tax ID': 'tax_id',
      },
    ],
    [
      'CONTPAQi',
      'clients',
      'Código,Razón social,R.F.C.,CURP,Denominación comercial,Estatus,Calle,Colonia,C.P.,Municipio,Ciudad,Estado,País,Teléfono 1,Teléfono 2,Email 1,Régimen fiscal,Uso CFDI',
      'C1,Uno SA,TUN010101AB1,,Uno,Activo,Av. 1,Centro,72000,Puebla,Puebla,Puebla,México,5512345678,,pagos@uno.example,601,G03',
      {
        Código: 'external_id',
        'Razón social': 'name',
        'R.F.C.': 'tax_id',
        'Denominación comercial': 'company',
        Estatus: 'status',
        Calle: 'address',
        'C.P.': 'postal_code',
        Ciudad: 'city',
        Estado: 'state',
        País: 'country',
        'Teléfono 1': 'phone',
        'Teléfono 2': 'phone_secondary',
        'Email 1': 'email',
        'Régimen fiscal': 'tax_regime',
        'Uso CFDI': 'cfdi_use',
      },
    ],
    [
      'Xubio',
      'clients',
      'Nombre,Razón Social,Categoría Fiscal,CUIT,Provincia,Localidad,Dirección,Teléfono,E-Mail,Código,País,Observaciones',
      'Uno,Uno SRL,Responsable Inscripto,30-71234567-1,Buenos Aires,CABA,Av. 1,11 4321 5678,pagos@uno.example,C1,Argentina,',
      {
        Nombre: 'name',
        'Razón Social': 'company',
        'Categoría Fiscal': 'tax_condition',
        CUIT: 'tax_id',
        Provincia: 'state',
        Localidad: 'city',
        Dirección: 'address',
        Teléfono: 'phone',
        'E-Mail': 'email',
        Código: 'external_id',
        País: 'country',
        Observaciones: 'notes',
      },
    ],
    [
      'Colppy',
      'clients',
      'Nombre de Fantasía,Razón Social,CUIT,Condición frente al I.V.A.,Domicilio,Ciudad,Cód. Postal,Provincia,País,Tel.,Email,Activo',
      'Uno,Uno SRL,30-71234567-1,Monotributo,Av. 1,CABA,1000,Buenos Aires,Argentina,11 4321 5678,pagos@uno.example,Sí',
      {
        'Nombre de Fantasía': 'company',
        'Razón Social': 'name',
        CUIT: 'tax_id',
        'Condición frente al I.V.A.': 'tax_condition',
        Domicilio: 'address',
        Ciudad: 'city',
        'Cód. Postal': 'postal_code',
        Provincia: 'state',
        País: 'country',
        'Tel.': 'phone',
        Email: 'email',
        Activo: 'status',
      },
    ],
    [
      'Gumroad',
      'licenses',
      'Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Purchase Date,Sale Price ($),Fees ($),City,Country,License Key,License Key Activation Count,License Key Enabled?',
      'abc==,Caja Fácil,Ana Ríos,ana@uno.example,,2026-05-01,12.00,1.00,Puebla,México,38B1460A-5104-4067-A91D-77B872934D51,1,true',
      {
        'Purchase ID': 'external_id',
        'Item Name': 'software',
        'Buyer Name': 'client_name',
        'Purchase Email': 'client',
        'Purchase Date': 'issued_date',
        'Sale Price ($)': 'price',
        'License Key': 'license_key',
        'License Key Enabled?': 'status',
      },
    ],
    [
      'Keygen',
      'licenses',
      'id,key,name,status,expiry,maxMachines,uses,created,userEmail',
      '218810ed,C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3,,ACTIVE,2027-05-01T00:00:00.000Z,5,1,2026-05-01T00:00:00.000Z,ana@uno.example',
      {
        key: 'license_key',
        status: 'status',
        expiry: 'expiry_date',
        maxMachines: 'max_installations',
        created: 'issued_date',
        userEmail: 'client',
      },
    ],
    [
      'Cryptlex',
      'licenses',
      'id,key,productName,suspended,allowedActivations,totalActivations,expiresAt,createdAt,email',
      '9,FA0CE3-73CFE1-4299A7-8C9E46,Caja Fácil,false,5,1,2027-05-01T00:00:00.000Z,2026-05-01T00:00:00.000Z,ana@uno.example',
      {
        key: 'license_key',
        productName: 'software',
        suspended: 'status',
        allowedActivations: 'max_installations',
        expiresAt: 'expiry_date',
        createdAt: 'issued_date',
        email: 'client',
      },
    ],
    [
      'Paddle',
      'licenses',
      'License Code,Product,Customer Email,Status,Allowed Uses,Times Used,Expires,Created',
      '7F3B2C1A-9D8E,Caja Fácil,ana@uno.example,Active,3,1,2027-05-01,2026-05-01',
      {
        'License Code': 'license_key',
        Product: 'software',
        'Customer Email': 'client',
        Status: 'status',
        'Allowed Uses': 'max_installations',
        Expires: 'expiry_date',
        Created: 'issued_date',
      },
    ],
    [
      'Outlook in English',
      'clients',
      'First Name,Middle Name,Last Name,Company,Job Title,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Business Phone,Home Phone,Mobile Phone,E-mail Address,Web Page,Notes',
      'Ana,,Ríos,Uno,Dueña,Av. 1,Puebla,Puebla,72000,México,,5512345678,,5587654321,ana@uno.example,,',
      {
        'First Name': 'name',
        'Last Name': 'last_name',
        Company: 'company',
        'Job Title': 'contact_position',
        'Business Street': 'address',
        'Business City': 'city',
        'Business State': 'state',
        'Business Postal Code': 'postal_code',
        'Business Country/Region': 'country',
        'Business Phone': 'phone',
        'Mobile Phone': 'phone_secondary',
        'E-mail Address': 'email',
        'Web Page': 'website',
        Notes: 'notes',
      },
    ],
  ])('%s', (_program, kind, columns, row, mapping) => {
    expect(suggested(kind, columns, row)).toEqual(mapping);
  });
});

describe('a field that two columns could be takes the fuller (INPUT-20)', () => {
  test('of two mail addresses and two phones', () => {
    expect(
      suggested(
        'clients',
        'Name,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Phone 2 - Value',
        'Ana,,ana@uno.example,,5512345678',
        'Rosa,rosa@uno.example,rosa@dos.example,5512345678,5512345679',
      ),
    ).toEqual({
      Name: 'name',
      'E-mail 2 - Value': 'email',
      'Phone 1 - Value': 'phone_secondary',
      'Phone 2 - Value': 'phone',
    });
  });

  test('counted over all rows, not over the sample', () => {
    const columns = ['Nombre', 'Email', 'Teléfono', 'Celular'];
    const sample = [['Ana', 'ana@uno.example', '5512345678', '']];
    expect(suggestMapping('clients', columns, sample, [100, 100, 1, 90])).toEqual({
      Nombre: 'name',
      Email: 'email',
      Teléfono: 'phone_secondary',
      Celular: 'phone',
    });
  });

  test('with equal columns it takes the one with the more certain header', () => {
    expect(suggested('clients', 'Municipio,Población', 'CUAUHTEMOC,CDMX')).toEqual({ Población: 'city' });
  });
});

test('a legal name is the name where there is no other, and the company where there is (INPUT-20)', () => {
  expect(suggested('clients', 'Razón social,Email')).toEqual({ 'Razón social': 'name', Email: 'email' });
  expect(suggested('clients', 'Razón social,Nombre,Email')).toEqual({
    'Razón social': 'company',
    Nombre: 'name',
    Email: 'email',
  });
  expect(suggested('clients', 'Razón social,Nombre,Email', 'Uno SA,,a@uno.example')).toMatchObject({
    'Razón social': 'name',
  });
});

test('a last name is not added to a full name, nor to that of a company (INPUT-20)', () => {
  expect(suggested('clients', 'Full Name,First Name,Last Name')).toEqual({ 'Full Name': 'name' });
  expect(suggested('clients', 'Name,Given Name,Family Name')).toEqual({ Name: 'name' });
  expect(suggested('clients', 'Nombre,Apellidos')).toEqual({ Nombre: 'name', Apellidos: 'last_name' });
});

test('a column of clients in a file of licences is their mail address or their name by its cells (INPUT-20)', () => {
  expect(suggested('licenses', 'Clave,Cliente', 'K-1,ana@uno.example')).toMatchObject({ Cliente: 'client' });
  expect(suggested('licenses', 'Clave,Cliente,Email', 'K-1,Ana,ana@uno.example')).toMatchObject({
    Cliente: 'client_name',
    Email: 'client',
  });
});

test('the label of every field is recognised, with any case and without accents and dots', () => {
  for (const kind of ['clients', 'software', 'licenses'] as const)
    for (const { label, name } of IMPORT_FIELDS[kind]) {
      const plain = label.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
      for (const header of [label, plain.toUpperCase(), `${plain.toLowerCase()}.`])
        expect(Object.values(suggestMapping(kind, [header])), `${kind} ${header}`).toContain(name);
    }
});

test('a value for all rows fills a required field, a blank one does not (INPUT-20)', () => {
  const missing = (values: Record<string, string>) =>
    missingFields('licenses', { Email: 'client' }, 'create', values).map(({ name }) => name);
  expect(missing({})).toEqual(['software', 'price']);
  expect(missing({ software: 'Caja', price: ' ' })).toEqual(['price']);
});
