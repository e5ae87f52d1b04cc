import type { Kysely } from 'kysely';
import type { ClientStatus, ClientType } from '../../../contract/clients.ts';
import type { LicenseCategory, LicenseStatus } from '../../../contract/licenses.ts';
import { CLIENT_DEFAULTS } from '../../../contract/limits.ts';
import { normalizeForSearch, textOrder } from '../../../contract/text.ts';
import { addDays, endOfLocalDay, localDay } from '../../../contract/time.ts';
import type { Tables } from '../../db/tables.ts';
import { insertFirstTerms } from '../licenses/license-terms.queries.ts';

/**
 * Sample data for demo mode: a small vendor after some months of use. People and companies are fictional, with
 * addresses of example.com. Rows are written directly into the tables, so no mail is sent.
 */

type SampleClient = {
  name: string;
  email: string;
  company: string;
  phone: string;
  city: string;
  state: string;
  country: string;
  postal_code: string;
  address: string;
  client_type: ClientType;
  status: ClientStatus;
  contact_person: string;
  contact_position: string;
  tax_id: string;
  website: string;
  notes: string;
  days: number;
};

const mx = { country: 'México' } as const;
const ar = { country: 'Argentina' } as const;

// biome-ignore format: the columns are aligned
const CLIENTS: SampleClient[] = [
  { ...mx, name: 'María Fernanda Ríos', email: 'maria.rios@example.com', company: 'Abarrotes La Esperanza', phone: '+525541238890', city: 'Ciudad de México', state: 'Ciudad de México', postal_code: '06700', address: 'Av. Álvaro Obregón 182, Roma Norte', client_type: 'small_business', status: 'active', contact_person: 'María Fernanda Ríos', contact_position: 'Propietaria', tax_id: 'RIFM850412QX3', website: '', notes: 'Prefiere que la llamen por la mañana.', days: 310 },
  { ...mx, name: 'Jorge Alberto Medina', email: 'jmedina@example.com', company: 'Refaccionaria El Cigüeñal', phone: '+523336157742', city: 'Guadalajara', state: 'Jalisco', postal_code: '44100', address: 'Calz. Independencia Sur 940', client_type: 'medium_business', status: 'active', contact_person: 'Lucía Medina', contact_position: 'Administración', tax_id: 'RCI040918KJ5', website: 'https://elciguenal.example.com', notes: '', days: 288 },
  { ...ar, name: 'Valentina Gómez', email: 'valentina.gomez@example.com', company: 'Librería del Plata', phone: '+541148327719', city: 'Buenos Aires', state: 'CABA', postal_code: 'C1043', address: 'Av. Corrientes 1543', client_type: 'small_business', status: 'active', contact_person: 'Valentina Gómez', contact_position: 'Gerente', tax_id: '30-71458293-4', website: 'https://libreriadelplata.example.com', notes: '', days: 262 },
  { ...mx, name: 'Grupo Textil Anáhuac', email: 'sistemas@anahuac.example.com', company: 'Grupo Textil Anáhuac', phone: '+522222481903', city: 'Puebla', state: 'Puebla', postal_code: '72000', address: 'Blvd. 5 de Mayo 2210', client_type: 'enterprise', status: 'active', contact_person: 'Ing. Ricardo Sosa', contact_position: 'Jefe de Sistemas', tax_id: 'GTA990305HT8', website: 'https://anahuac.example.com', notes: 'Contrato marco; facturar los primeros cinco días del mes.', days: 240 },
  { ...mx, name: 'Clínica Dental Sonrisas', email: 'contacto@sonrisas.example.com', company: 'Clínica Dental Sonrisas', phone: '+528183409921', city: 'Monterrey', state: 'Nuevo León', postal_code: '64000', address: 'Padre Mier 455, Centro', client_type: 'small_business', status: 'active', contact_person: 'Dra. Elena Garza', contact_position: 'Directora', tax_id: 'CDS150722AB1', website: '', notes: '', days: 205 },
  { ...ar, name: 'Martín Echeverría', email: 'martin@estancia.example.com', company: 'Estancia Los Teros', phone: '+542954417788', city: 'Santa Rosa', state: 'La Pampa', postal_code: 'L6300', address: 'Ruta 5 km 607', client_type: 'medium_business', status: 'pending', contact_person: 'Martín Echeverría', contact_position: 'Encargado', tax_id: '20-28374651-9', website: '', notes: 'Esperando la orden de compra.', days: 176 },
  { ...mx, name: 'Ana Sofía Hernández', email: 'ana.hernandez@example.com', company: CLIENT_DEFAULTS.company, phone: '+529987713204', city: 'Cancún', state: 'Quintana Roo', postal_code: '77500', address: 'Av. Tulum 318', client_type: 'individual', status: 'active', contact_person: CLIENT_DEFAULTS.contact_person, contact_position: '', tax_id: '', website: '', notes: '', days: 150 },
  { ...mx, name: 'Ferretería Hermanos Lugo', email: 'compras@hermanoslugo.example.com', company: 'Ferretería Hermanos Lugo', phone: '+526671829934', city: 'Culiacán', state: 'Sinaloa', postal_code: '80000', address: 'Av. Insurgentes 1120', client_type: 'medium_business', status: 'suspended', contact_person: 'Óscar Lugo', contact_position: 'Compras', tax_id: 'FHL080214MN2', website: '', notes: 'Dos facturas vencidas.', days: 139 },
  { ...ar, name: 'Transportes Cruz del Sur', email: 'ti@cruzdelsur.example.com', company: 'Transportes Cruz del Sur', phone: '+543514786120', city: 'Córdoba', state: 'Córdoba', postal_code: 'X5000', address: 'Bv. San Juan 710', client_type: 'large_business', status: 'active', contact_person: 'Paula Ibáñez', contact_position: 'Coordinadora de TI', tax_id: '30-65987412-7', website: 'https://cruzdelsur.example.com', notes: '', days: 118 },
  { ...mx, name: 'Colegio Benito Juárez', email: 'direccion@cbj.example.com', company: 'Colegio Benito Juárez', phone: '+529511427765', city: 'Oaxaca de Juárez', state: 'Oaxaca', postal_code: '68000', address: 'Calle Macedonio Alcalá 402', client_type: 'medium_business', status: 'active', contact_person: 'Mtra. Irma Cruz', contact_position: 'Directora', tax_id: 'CBJ720321TT0', website: '', notes: '', days: 87 },
  { ...mx, name: 'Panadería Los Arcos', email: 'losarcos@example.com', company: 'Panadería Los Arcos', phone: '+524421936650', city: 'Querétaro', state: 'Querétaro', postal_code: '76000', address: 'Calz. de los Arcos 77', client_type: 'small_business', status: 'inactive', contact_person: 'Ernesto Vega', contact_position: 'Propietario', tax_id: 'VEEE790118PL6', website: '', notes: '', days: 61 },
  { ...ar, name: 'Lucas Ferreyra', email: 'lucas.ferreyra@example.com', company: 'Estudio Contable Ferreyra', phone: '+543416059917', city: 'Rosario', state: 'Santa Fe', postal_code: 'S2000', address: 'Mitre 868', client_type: 'individual', status: 'active', contact_person: 'Lucas Ferreyra', contact_position: 'Contador', tax_id: '20-31547896-2', website: '', notes: '', days: 40 },
  { ...mx, name: 'Hotel Casa Mezquite', email: 'recepcion@casamezquite.example.com', company: 'Hotel Casa Mezquite', phone: '+524151542218', city: 'San Miguel de Allende', state: 'Guanajuato', postal_code: '37700', address: 'Canal 28, Centro', client_type: 'medium_business', status: 'active', contact_person: 'Renata Solís', contact_position: 'Gerente general', tax_id: 'HCM110905LR3', website: 'https://casamezquite.example.com', notes: '', days: 18 },
  { ...mx, name: 'Daniela Ortiz', email: 'daniela.ortiz@example.com', company: 'Boutique Dalia', phone: '+528717203315', city: 'Torreón', state: 'Coahuila', postal_code: '27000', address: 'Av. Morelos 1345', client_type: 'small_business', status: 'active', contact_person: 'Daniela Ortiz', contact_position: 'Propietaria', tax_id: '', website: '', notes: '', days: 3 },
];

// biome-ignore format: the columns are aligned
const SOFTWARE = [
  { name: 'Caja Fácil', version: '4.2.0', description: 'Punto de venta con inventario y corte de caja.', is_active: true, days: 420 },
  { name: 'Nómina Clara', version: '2.8.1', description: 'Nómina y recibos timbrados para equipos pequeños.', is_active: true, days: 400 },
  { name: 'Almacén Pro', version: '7.0.3', description: 'Control de almacenes, lotes y caducidades.', is_active: true, days: 330 },
  { name: 'Agenda Clínica', version: '1.5.0', description: 'Citas, expedientes y recordatorios para consultorios.', is_active: true, days: 210 },
  { name: 'Ruta Express', version: '3.1.4', description: 'Planeación de rutas y seguimiento de entregas.', is_active: true, days: 120 },
  { name: 'Caja Fácil', version: '3.9.6', description: 'Versión anterior, solo con soporte de seguridad.', is_active: false, days: 600 },
];

// biome-ignore format: the columns are aligned
const TYPES = [
  { name: 'Mensual', description: 'Para empezar sin compromiso.', price: 149_00, seats: 1, days: 30, promotion: null, is_active: true },
  { name: 'Anual', description: 'La más elegida: un año con soporte por correo.', price: 1_200_00, seats: 5, days: 365, promotion: null, is_active: true },
  { name: 'Anual Empresarial', description: 'Para equipos grandes, con soporte telefónico.', price: 6_900_00, seats: 25, days: 365, promotion: null, is_active: true },
  { name: 'Buen Fin', description: 'Anual con descuento de temporada.', price: 960_00, seats: 5, days: 365, promotion: { name: 'Buen Fin', discount: 20 }, is_active: true },
  { name: 'Prueba de 15 días', description: 'Todo el programa, por dos semanas.', price: 1_00, seats: 1, days: 15, promotion: null, is_active: true },
  { name: 'Semestral', description: 'Ya no se ofrece a clientes nuevos.', price: 690_00, seats: 3, days: 180, promotion: null, is_active: false },
];

type SampleLicense = {
  key: string;
  /** Positions in the lists above. */
  client: number;
  software: number;
  type: number;
  category: LicenseCategory;
  status: LicenseStatus;
  /** Days ago on which it was issued. */
  days: number;
  machines: string[];
};

// biome-ignore format: the columns are aligned
const LICENSES: SampleLicense[] = [
  { key: 'DEMAA-22222-33333-44444-55555', client: 0, software: 0, type: 1, category: 'premium', status: 'active', days: 300, machines: ['caja-01', 'caja-02'] },
  { key: 'K7QMW-3XH9D-PV4TB-8RFCN-2YJ6L', client: 1, software: 2, type: 1, category: 'premium', status: 'active', days: 281, machines: ['mostrador-1', 'bodega'] },
  { key: 'T9BXC-6WNPD-4HQ7K-VMR3F-Y2J8G', client: 2, software: 0, type: 1, category: 'premium', status: 'active', days: 255, machines: ['libreria-caja'] },
  { key: 'M4FZJ-8KTRW-C6VYH-3QPXN-9DB7S', client: 3, software: 1, type: 2, category: 'enterprise', status: 'active', days: 238, machines: ['rh-01', 'rh-02', 'rh-03', 'planta-01', 'planta-02'] },
  { key: 'W2HDG-7PXMK-N9QTC-5BVFR-J8Y4L', client: 3, software: 2, type: 2, category: 'enterprise', status: 'active', days: 230, machines: ['almacen-a', 'almacen-b', 'almacen-c'] },
  { key: 'Q8VNB-4JYKT-X7MRD-2HWCP-6FG9Z', client: 4, software: 3, type: 1, category: 'premium', status: 'active', days: 200, machines: ['recepcion', 'consultorio-1', 'consultorio-2'] },
  { key: 'F5TKP-9RWXJ-3DBQM-7NHVC-Y4G8S', client: 5, software: 2, type: 4, category: 'trial', status: 'trial', days: 6, machines: ['oficina-campo'] },
  { key: 'Z3CXH-6QPMV-8KTNW-4YJDR-B7F9G', client: 6, software: 1, type: 0, category: 'basic', status: 'expired', days: 140, machines: ['laptop-ana'] },
  { key: 'R7JWD-2NVKF-5XQHB-9MTPC-G6Y4L', client: 7, software: 2, type: 1, category: 'premium', status: 'suspended', days: 132, machines: ['mostrador'] },
  { key: 'H9PQM-4BTXC-7WKRV-3FNJD-8YG6Z', client: 8, software: 4, type: 2, category: 'enterprise', status: 'active', days: 115, machines: ['central', 'deposito', 'trafico-1', 'trafico-2'] },
  { key: 'B6YKN-8DHVT-2PXWJ-5QCRM-F9G4S', client: 9, software: 1, type: 5, category: 'abono', status: 'active', days: 84, machines: ['administracion'] },
  { key: 'X4RFC-7MJQP-9TBKD-6WHVN-3YG8L', client: 9, software: 2, type: 1, category: 'pack', status: 'active', days: 80, machines: [] },
  { key: 'N2WTH-5VKXB-8QJMP-4CRDF-7YG9Z', client: 10, software: 5, type: 0, category: 'basic', status: 'cancelled', days: 58, machines: [] },
  { key: 'J8DVQ-3PNKW-6HXTM-9BFCR-2YG4S', client: 11, software: 1, type: 1, category: 'individual', status: 'active', days: 38, machines: ['estudio'] },
  { key: 'V5MBX-9CTJH-2WKQN-7RPDF-4YG6L', client: 0, software: 1, type: 3, category: 'promocional', status: 'active', days: 24, machines: ['oficina'] },
  { key: 'C7KPD-4XWVM-8NQHT-3JFBR-6YG9Z', client: 12, software: 0, type: 3, category: 'promocional', status: 'active', days: 16, machines: ['recepcion', 'bar'] },
  { key: 'P3QXJ-6TBWK-9MVND-2HCRF-8YG4S', client: 8, software: 2, type: 0, category: 'basic', status: 'active', days: 9, machines: ['taller'] },
  { key: 'D9NHW-7KRPX-4QTMB-6VJCF-3YG8L', client: 13, software: 0, type: 4, category: 'trial', status: 'trial', days: 2, machines: ['boutique'] },
];

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** Inserts the sample data in one transaction, if the database is empty. */
export async function insertDemoData(db: Kysely<Tables>, now: Date, timeZone: string): Promise<void> {
  const daysAgo = (days: number, hours = 0) =>
    new Date(now.getTime() - days * DAY_MS - hours * HOUR_MS).toISOString();
  await db.transaction().execute(async (tx) => {
    if (await tx.selectFrom('clients').select('id').limit(1).executeTakeFirst()) return;
    if (await tx.selectFrom('software').select('id').limit(1).executeTakeFirst()) return;

    const clientIds: number[] = [];
    for (const { days, ...client } of CLIENTS) {
      const { name, email, company, phone, contact_person, tax_id } = client;
      const stamp = daysAgo(days, 1);
      const row = await tx
        .insertInto('clients')
        .values({
          ...client,
          phone_secondary: '',
          last_contact: client.notes === '' ? null : localDay(daysAgo(Math.floor(days / 3)), timeZone),
          email_key: email.toLowerCase(),
          name_order: textOrder(name),
          company_order: textOrder(company),
          search_text: [name, email, company, phone, contact_person, tax_id]
            .map(normalizeForSearch)
            .join('\n'),
          created_at: stamp,
          updated_at: stamp,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      clientIds.push(row.id);
    }

    const softwareIds: number[] = [];
    for (const { days, ...software } of SOFTWARE) {
      const stamp = daysAgo(days);
      const row = await tx
        .insertInto('software')
        .values({
          ...software,
          identity_key: `${software.name}\n${software.version}`.toLowerCase(),
          name_order: textOrder(software.name),
          search_text: [software.name, software.version, software.description]
            .map(normalizeForSearch)
            .join('\n'),
          created_at: stamp,
          updated_at: stamp,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      softwareIds.push(row.id);
    }

    const today = localDay(now, timeZone);
    const typeIds: number[] = [];
    for (const type of TYPES) {
      const stamp = daysAgo(420);
      const row = await tx
        .insertInto('license_types')
        .values({
          name: type.name,
          name_order: textOrder(type.name),
          description: type.description,
          base_price_cents: type.price,
          max_installations: type.seats,
          validity_days: type.days,
          is_promotion: type.promotion !== null,
          promotion_name: type.promotion?.name ?? '',
          promotion_description: type.promotion ? 'Precio especial por tiempo limitado.' : '',
          discount_percentage: type.promotion?.discount ?? null,
          promotion_start_date: type.promotion ? addDays(today, -30) : null,
          promotion_end_date: type.promotion ? addDays(today, 30) : null,
          is_active: type.is_active,
          search_text: [type.name, type.description, type.promotion?.name ?? '']
            .map(normalizeForSearch)
            .join('\n'),
          created_at: stamp,
          updated_at: stamp,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      typeIds.push(row.id);
    }

    let machineNumber = 0;
    for (const license of LICENSES) {
      const type = TYPES[license.type]!;
      const issued = daysAgo(license.days);
      const lastDay = addDays(localDay(issued, timeZone), type.days);
      const { id } = await tx
        .insertInto('licenses')
        .values({
          license_key: license.key,
          client_id: clientIds[license.client]!,
          software_id: softwareIds[license.software]!,
          license_type_id: typeIds[license.type]!,
          license_type: license.category,
          status: license.status,
          price_cents: type.price,
          original_price_cents: type.promotion
            ? Math.round(type.price / (1 - type.promotion.discount / 100))
            : null,
          discount_percentage: type.promotion?.discount ?? 0,
          promotion_name: type.promotion?.name ?? '',
          promotion_description: type.promotion ? 'Precio especial por tiempo limitado.' : '',
          max_installations: type.seats,
          current_installations: license.machines.length,
          expiry_days: type.days,
          issued_date: issued,
          expiry_date: endOfLocalDay(lastDay, timeZone),
          notes: '',
          search_text: license.key.toLowerCase(),
          created_at: issued,
          updated_at: issued,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const machine of license.machines) {
        machineNumber += 1;
        // Most machines reported within a day; every fourth has been silent for some time, and one never reported.
        const lastHeartbeat =
          machineNumber === 7
            ? null
            : daysAgo(machineNumber % 4 === 0 ? machineNumber : 0, machineNumber % 20);
        const machineName = machine.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('-', ' ');
        const macAddress = `02:00:5E:10:00:${machineNumber.toString(16).padStart(2, '0').toUpperCase()}`;
        await tx
          .insertInto('installations')
          .values({
            license_id: id,
            machine_id: machine,
            machine_name: machineName,
            mac_address: macAddress,
            search_text: [machineName, machine, macAddress].map(normalizeForSearch).join('\n'),
            ip_address: `192.0.2.${machineNumber + 10}`,
            installation_date: daysAgo(Math.max(0, license.days - 1), 2),
            last_heartbeat: lastHeartbeat,
            notes: '',
          })
          .execute();
      }
    }
    await insertFirstTerms(tx);
  });
}
