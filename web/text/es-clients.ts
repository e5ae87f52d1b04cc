import type { Client } from '../../contract/clients.ts';
import { countOf, formatNumber } from './format.ts';

/** The texts of the clients screen (docs/requirements.csv, docs/product-decisions.md). */
export const clientTexts = {
  title: 'Clientes',
  subtitle: 'Gestiona los clientes del sistema',
  create: 'Nuevo Cliente',
  edit: 'Editar Cliente',
  details: 'Detalles del Cliente',
  search: 'Buscar clientes...',
  searchLabel: 'Buscar clientes',
  statusFilter: 'Filtrar por estado',
  typeFilter: 'Filtrar por tipo',
  tableCaption: 'Lista de clientes',
  /** Only in print: which part of the list is printed. */
  printedPage: (page: number, totalPages: number) =>
    `Página ${formatNumber(page)} de ${formatNumber(totalPages)}`,
  empty: 'No hay clientes',
  emptyHint: 'Ajusta los filtros o agrega tu primer cliente.',
  createFirst: 'Agregar tu primer cliente',
  submitCreate: 'Crear Cliente',
  submitEdit: 'Actualizar Cliente',
  confirmDelete: '¿Estás seguro de que quieres eliminar este cliente?',
  /** One record in a dialog: loading, not found, failed. */
  record: {
    loading: 'Cargando información del cliente...',
    notFound: 'Cliente no encontrado',
    failed: 'Error al cargar el cliente',
  },
  phoneHelp: 'Incluye el código de país, por ejemplo +525512345678',
  websiteHelp: 'Con http:// o https://',
  willBeStored: (phone: string) => `Se guardará como ${phone}`,
  isMexican: '¿Es un número de México?',
  use: (completed: string) => `Usar ${completed}`,
  columns: {
    client: 'Cliente',
    company: 'Empresa',
    type: 'Tipo',
    status: 'Estado',
    contact: 'Contacto',
    licenses: 'Licencias',
    registered: 'Registro',
    actions: 'Acciones',
  },
  sections: {
    personal: 'Información Personal',
    business: 'Información Empresarial',
    contact: 'Información de Contacto',
    location: 'Información de Ubicación',
    configuration: 'Configuración',
    notes: 'Notas',
  },
  taxData: 'Datos fiscales',
  taxDataHelp: 'Para facturar, junto con el RFC/CUIT y el código postal.',
  backToSummary: 'Volver al resumen',
  tabs: { summary: 'Resumen', licenses: 'Licencias', installations: 'Instalaciones' },
  counters: { licenses: 'Licencias', installations: 'Instalaciones', since: 'Cliente desde' },
  /** What staff ask on the phone. */
  glance: {
    licenses: 'Sus licencias',
    machines: 'Sus equipos',
    seats: (seats: string) => `${seats} instalaciones`,
    noMachines: 'Sin equipos activados',
    neverSeen: 'Sin señal todavía',
    allLicenses: (count: number) => `Ver las ${formatNumber(count)} licencias`,
    allMachines: (count: number) => `Ver los ${formatNumber(count)} equipos`,
  },
  newLicense: 'Nueva licencia',
  copy: {
    email: 'Copiar email',
    phone: 'Copiar teléfono',
    taxId: 'Copiar RFC/CUIT',
    machineId: 'Copiar ID de máquina',
    mac: 'Copiar dirección MAC',
    ip: 'Copiar dirección IP',
  },
  additional: 'Información Adicional',
  price: 'Precio',
  originalPrice: 'Precio original',
  discount: (percentage: string) => `${percentage} de descuento`,
  noExpiry: 'Sin expiración',
  license: {
    key: 'Clave de Licencia',
    type: 'Tipo de Licencia',
    installations: 'Instalaciones',
    issued: 'Fecha de Emisión',
    expiry: 'Fecha de Expiración',
  },
  installation: {
    unnamed: 'Equipo sin nombre',
    software: 'Software',
    mac: 'Dirección MAC',
    machineId: 'ID de Máquina',
    ip: 'Dirección IP',
    installed: 'Fecha de Instalación',
    heartbeat: 'Último Heartbeat',
    never: 'Nunca',
    notes: 'Notas',
    release: 'Liberar',
    releasing: 'Liberando...',
    releaseOf: (name: string) => `Liberar ${name}`,
    releaseTitle: 'Liberar instalación',
    releaseQuestion: (name: string) =>
      `El equipo "${name}" dejará de ocupar un lugar de la licencia. Para volver a usarla tendrá que activarse de nuevo.`,
    released: 'Instalación liberada exitosamente',
    releaseFailed: 'Error al liberar la instalación',
  },
  remindersHelp: 'Por correo, antes de que venzan sus licencias.',
  remindersShort: 'Avisos de vencimiento',
  reminded: (wants: boolean) => (wants ? 'Los recibe por correo' : 'No los recibe'),
  bounced: (day: string) =>
    `Rechazó un aviso el ${day}: no se le envían más hasta que reciba otro correo o cambie.`,
  noLicenses: 'No hay licencias',
  noLicensesHint: 'Este cliente no tiene licencias asignadas.',
  noInstallations: 'No hay instalaciones',
  noInstallationsHint: 'Este cliente no tiene instalaciones registradas.',
} as const;

/** The label of every visible field, by its name on the wire. */
export const CLIENT_FIELD_LABELS = {
  name: 'Nombre',
  email: 'Email',
  company: 'Empresa',
  client_type: 'Tipo de Cliente',
  phone: 'Teléfono Principal',
  phone_secondary: 'Teléfono Secundario',
  address: 'Dirección',
  city: 'Ciudad',
  state: 'Estado/Provincia',
  country: 'País',
  postal_code: 'Código Postal',
  contact_person: 'Persona de Contacto',
  contact_position: 'Cargo',
  tax_id: 'RFC/CUIT',
  website: 'Sitio Web',
  last_contact: 'Último Contacto',
  status: 'Estado',
  notes: 'Notas',
  reminders: 'Recibe avisos de vencimiento',
  tax_regime: 'Régimen fiscal',
  cfdi_use: 'Uso de CFDI',
  tax_condition: 'Condición frente al IVA',
} as const satisfies Partial<Record<keyof Client, string>>;

/**
 * '1 cliente', '12 clientes': all matches (D056); 'Más de 1000 clientes' above the limit of a search's count (D045).
 */
export const clientCount = (count: number, isMore = false) =>
  isMore ? `Más de ${count} clientes` : countOf(count, { one: 'cliente', many: 'clientes' });

/** '1 activa', '0 activas' (D094). */
export const activeCount = (count: number) => countOf(count, { one: 'activa', many: 'activas' });
