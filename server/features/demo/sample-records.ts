import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import type { ClientStatus, ClientType } from '../../../contract/clients/clients.fields.ts';
import type { CfdiUse, TaxCondition, TaxRegime } from '../../../contract/clients/tax-catalogues.ts';

/**
 * The clients, products and types of the sample data: a small vendor after some months of use. People and companies
 * are fictional, with addresses at example.com. `days` is how many days ago each was created.
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
  tax_regime?: TaxRegime;
  cfdi_use?: CfdiUse;
  tax_condition?: TaxCondition;
  website: string;
  notes: string;
  days: number;
};

const mx = { country: 'México' } as const;
const ar = { country: 'Argentina' } as const;

// biome-ignore format: the columns are aligned
export const CLIENTS: SampleClient[] = [
  { ...mx, name: 'María Fernanda Ríos', email: 'maria.rios@example.com', company: 'Abarrotes La Esperanza', phone: '+525541238890', city: 'Ciudad de México', state: 'Ciudad de México', postal_code: '06700', address: 'Av. Álvaro Obregón 182, Roma Norte', client_type: 'small_business', status: 'active', contact_person: 'María Fernanda Ríos', contact_position: 'Propietaria', tax_id: 'RIFM850412QX2', tax_regime: '612', cfdi_use: 'G03', website: '', notes: 'Prefiere que la llamen por la mañana.', days: 310 },
  { ...mx, name: 'Jorge Alberto Medina', email: 'jmedina@example.com', company: 'Refaccionaria El Cigüeñal', phone: '+523336157742', city: 'Guadalajara', state: 'Jalisco', postal_code: '44100', address: 'Calz. Independencia Sur 940', client_type: 'medium_business', status: 'active', contact_person: 'Lucía Medina', contact_position: 'Administración', tax_id: 'RCI040918KJ3', tax_regime: '601', cfdi_use: 'G03', website: 'https://elciguenal.example.com', notes: '', days: 430 },
  { ...ar, name: 'Valentina Gómez', email: 'valentina.gomez@example.com', company: 'Librería del Plata', phone: '+541148327719', city: 'Buenos Aires', state: 'CABA', postal_code: 'C1043', address: 'Av. Corrientes 1543', client_type: 'small_business', status: 'active', contact_person: 'Valentina Gómez', contact_position: 'Gerente', tax_id: '30-71458294-8', tax_condition: '1', website: 'https://libreriadelplata.example.com', notes: '', days: 262 },
  { ...mx, name: 'Grupo Textil Anáhuac', email: 'sistemas@anahuac.example.com', company: 'Grupo Textil Anáhuac', phone: '+522222481903', city: 'Puebla', state: 'Puebla', postal_code: '72000', address: 'Blvd. 5 de Mayo 2210', client_type: 'enterprise', status: 'active', contact_person: 'Ing. Ricardo Sosa', contact_position: 'Jefe de Sistemas', tax_id: 'GTA990305HT3', tax_regime: '601', cfdi_use: 'G03', website: 'https://anahuac.example.com', notes: 'Contrato marco; facturar los primeros cinco días del mes.', days: 402 },
  { ...mx, name: 'Clínica Dental Sonrisas', email: 'contacto@sonrisas.example.com', company: 'Clínica Dental Sonrisas', phone: '+528183409921', city: 'Monterrey', state: 'Nuevo León', postal_code: '64000', address: 'Padre Mier 455, Centro', client_type: 'small_business', status: 'active', contact_person: 'Dra. Elena Garza', contact_position: 'Directora', tax_id: 'CDS150722AB2', tax_regime: '601', cfdi_use: 'G03', website: '', notes: '', days: 205 },
  { ...ar, name: 'Martín Echeverría', email: 'martin@estancia.example.com', company: 'Estancia Los Teros', phone: '+542954417788', city: 'Santa Rosa', state: 'La Pampa', postal_code: 'L6300', address: 'Ruta 5 km 607', client_type: 'medium_business', status: 'pending', contact_person: 'Martín Echeverría', contact_position: 'Encargado', tax_id: '20-28374651-9', tax_condition: '6', website: '', notes: 'Esperando la orden de compra.', days: 176 },
  { ...mx, name: 'Ana Sofía Hernández', email: 'ana.hernandez@example.com', company: CLIENT_DEFAULTS.company, phone: '+529987713204', city: 'Cancún', state: 'Quintana Roo', postal_code: '77500', address: 'Av. Tulum 318', client_type: 'individual', status: 'active', contact_person: CLIENT_DEFAULTS.contact_person, contact_position: '', tax_id: '', website: '', notes: '', days: 150 },
  { ...mx, name: 'Ferretería Hermanos Lugo', email: 'compras@hermanoslugo.example.com', company: 'Ferretería Hermanos Lugo', phone: '+526671829934', city: 'Culiacán', state: 'Sinaloa', postal_code: '80000', address: 'Av. Insurgentes 1120', client_type: 'medium_business', status: 'active', contact_person: 'Óscar Lugo', contact_position: 'Compras', tax_id: 'FHL080214MN2', tax_regime: '601', cfdi_use: 'G01', website: '', notes: 'Dos facturas vencidas.', days: 139 },
  { ...ar, name: 'Transportes Cruz del Sur', email: 'ti@cruzdelsur.example.com', company: 'Transportes Cruz del Sur', phone: '+543514786120', city: 'Córdoba', state: 'Córdoba', postal_code: 'X5000', address: 'Bv. San Juan 710', client_type: 'large_business', status: 'active', contact_person: 'Paula Ibáñez', contact_position: 'Coordinadora de TI', tax_id: '30-65987412-8', tax_condition: '1', website: 'https://cruzdelsur.example.com', notes: '', days: 118 },
  { ...mx, name: 'Colegio Benito Juárez', email: 'direccion@cbj.example.com', company: 'Colegio Benito Juárez', phone: '+529511427765', city: 'Oaxaca de Juárez', state: 'Oaxaca', postal_code: '68000', address: 'Calle Macedonio Alcalá 402', client_type: 'medium_business', status: 'active', contact_person: 'Mtra. Irma Cruz', contact_position: 'Directora', tax_id: 'CBJ720321TT2', tax_regime: '603', cfdi_use: 'G03', website: '', notes: '', days: 87 },
  { ...mx, name: 'Panadería Los Arcos', email: 'losarcos@example.com', company: 'Panadería Los Arcos', phone: '+524421936650', city: 'Querétaro', state: 'Querétaro', postal_code: '76000', address: 'Calz. de los Arcos 77', client_type: 'small_business', status: 'active', contact_person: 'Ernesto Vega', contact_position: 'Propietario', tax_id: 'VEEE790118PL1', tax_regime: '626', cfdi_use: 'G03', website: '', notes: '', days: 61 },
  { ...ar, name: 'Lucas Ferreyra', email: 'lucas.ferreyra@example.com', company: 'Estudio Contable Ferreyra', phone: '+543416059917', city: 'Rosario', state: 'Santa Fe', postal_code: 'S2000', address: 'Mitre 868', client_type: 'individual', status: 'active', contact_person: 'Lucas Ferreyra', contact_position: 'Contador', tax_id: '20-31547896-1', tax_condition: '6', website: '', notes: '', days: 40 },
  { ...mx, name: 'Hotel Casa Mezquite', email: 'recepcion@casamezquite.example.com', company: 'Hotel Casa Mezquite', phone: '+524151542218', city: 'San Miguel de Allende', state: 'Guanajuato', postal_code: '37700', address: 'Canal 28, Centro', client_type: 'medium_business', status: 'active', contact_person: 'Renata Solís', contact_position: 'Gerente general', tax_id: 'HCM110905LR7', tax_regime: '601', cfdi_use: 'G03', website: 'https://casamezquite.example.com', notes: '', days: 38 },
  { ...mx, name: 'Daniela Ortiz', email: 'daniela.ortiz@example.com', company: 'Boutique Dalia', phone: '+528717203315', city: 'Torreón', state: 'Coahuila', postal_code: '27000', address: 'Av. Morelos 1345', client_type: 'small_business', status: 'active', contact_person: 'Daniela Ortiz', contact_position: 'Propietaria', tax_id: '', website: '', notes: '', days: 3 },
];

// biome-ignore format: the columns are aligned
export const SOFTWARE = [
  { name: 'Caja Fácil', version: '4.2.0', description: 'Punto de venta con inventario y corte de caja.', is_active: true, days: 610 },
  { name: 'Nómina Clara', version: '2.8.1', description: 'Nómina y recibos timbrados para equipos pequeños.', is_active: true, days: 590 },
  { name: 'Almacén Pro', version: '7.0.3', description: 'Control de almacenes, lotes y caducidades.', is_active: true, days: 560 },
  { name: 'Agenda Clínica', version: '1.5.0', description: 'Citas, expedientes y recordatorios para consultorios.', is_active: true, days: 210 },
  { name: 'Ruta Express', version: '3.1.4', description: 'Planeación de rutas y seguimiento de entregas.', is_active: true, days: 120 },
  { name: 'Caja Fácil', version: '3.9.6', description: 'Versión anterior, solo con soporte de seguridad.', is_active: false, days: 600 },
];

/** The meter that the sample software counts. */
const INVOICES = { facturas: { limit: 500, period: 'month', overage: 'refuse' } } as const;

// biome-ignore format: the columns are aligned
export const TYPES = [
  { name: 'Mensual', description: 'Para empezar sin compromiso.', price: 149, seats: 1, days: 30, grace: 5, promotion: null, is_active: true },
  { name: 'Anual', description: 'La más elegida: un año con soporte por correo.', price: 1200, seats: 5, days: 365, grace: 10, self_release: true, releases_per_month: 2, meters: INVOICES, promotion: null, is_active: true },
  { name: 'Anual Empresarial', description: 'Para equipos grandes, con soporte telefónico.', price: 6900, seats: 25, days: 365, grace: 15, promotion: null, is_active: true },
  { name: 'Buen Fin', description: 'Anual con descuento de temporada.', price: 960, seats: 5, days: 365, grace: 0, promotion: { name: 'Buen Fin', discount: 20 }, is_active: true },
  { name: 'Prueba de 15 días', description: 'Todo el programa, por dos semanas.', price: 1, seats: 1, days: 15, grace: 0, promotion: null, is_active: true },
  { name: 'Semestral', description: 'Ya no se ofrece a clientes nuevos.', price: 690, seats: 3, days: 180, grace: 0, promotion: null, is_active: false },
];

/** Later changes of clients. */
export const CLIENT_CHANGES: { client: number; days: number; status: ClientStatus }[] = [
  { client: 10, days: 33, status: 'inactive' },
  { client: 7, days: 14, status: 'suspended' },
];
