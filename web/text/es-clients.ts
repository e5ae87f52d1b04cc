import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { inSentence, LABELS } from '../../contract/base/labels.ts';
import { actions, CLIENT_ORDERING_LABELS, filters, NEW_LICENSE, recordTexts, screens } from './es.ts';
import { countOf, formatNumber } from './format.ts';

/** The texts of the clients screen (docs/requirements.csv, docs/product-decisions.md). */
export const clientTexts = {
  title: screens.clients,
  subtitle: 'Gestiona los clientes del sistema',
  create: 'Nuevo Cliente',
  edit: 'Editar Cliente',
  details: 'Detalles del Cliente',
  search: 'Buscar clientes...',
  searchLabel: 'Buscar clientes',
  statusFilter: filters.byStatus,
  typeFilter: filters.byType,
  tableCaption: 'Lista de clientes',
  /** Only printed: which page of the list this is. */
  printedPage: (page: number, totalPages: number) =>
    `Página ${formatNumber(page)} de ${formatNumber(totalPages)}`,
  empty: 'No hay clientes',
  emptyHint: 'Ajusta los filtros o agrega tu primer cliente.',
  createFirst: 'Agregar tu primer cliente',
  submitCreate: 'Crear Cliente',
  submitEdit: 'Actualizar Cliente',
  confirmDelete: '¿Estás seguro de que quieres eliminar este cliente?',
  /** One record in a dialog: loading, not found, failed. */
  record: recordTexts('clients'),
  phoneHelp: 'Incluye el código de país, por ejemplo +525512345678',
  websiteHelp: 'Con http:// o https://',
  willBeStored: 'Se guardará como',
  /** After a phone: whose it is. */
  isOf: (country: string) => `es de ${country}`,
  isNoneOf: (country: string) => `no es un teléfono de ${country}`,
  isMailRight: '¿Está bien escrito?',
  /** Before the value that a button puts in. */
  use: 'Usar',
  columns: {
    client: LABELS.client,
    company: LABELS.company,
    type: LABELS.type,
    status: LABELS.status,
    contact: 'Contacto',
    licenses: LABELS.licenses,
    registered: CLIENT_ORDERING_LABELS.created_at,
    actions: actions.column,
  },
  sections: {
    personal: 'Información Personal',
    business: 'Información Empresarial',
    contact: 'Información de Contacto',
    location: 'Información de Ubicación',
    configuration: screens.settings,
    notes: 'Notas',
  },
  taxData: 'Datos fiscales',
  taxDataHelp: 'Para facturar, junto con el RFC/CUIT y el código postal.',
  backToSummary: 'Volver al resumen',
  tabs: { summary: 'Resumen', licenses: LABELS.licenses, installations: LABELS.installations },
  counters: { licenses: LABELS.licenses, installations: LABELS.installations, since: 'Cliente desde' },
  /** Texts of the overview for phone calls. */
  glance: {
    licenses: 'Sus licencias',
    machines: 'Sus equipos',
    seats: (seats: string) => `${seats} lugares`,
    noMachines: 'Sin equipos activados',
    noSignal: 'Sin señal todavía',
    allLicenses: (count: number) => `Ver las ${formatNumber(count)} licencias`,
    allMachines: (count: number) => `Ver los ${formatNumber(count)} equipos`,
  },
  newLicense: inSentence(NEW_LICENSE),
  copy: {
    email: 'Copiar email',
    phone: 'Copiar teléfono',
    taxId: 'Copiar RFC/CUIT',
    externalId: 'Copiar identificador externo',
    machineId: 'Copiar ID del equipo',
    mac: 'Copiar dirección MAC',
    ip: 'Copiar dirección IP',
  },
  externalIdHelp: 'El código de este cliente en otro sistema. No se repite.',
  additional: 'Información Adicional',
  price: LABELS.price,
  originalPrice: 'Precio original',
  discount: (percentage: string) => `${percentage} de descuento`,
  license: {
    key: LABELS.license_key,
    type: LABELS.license_type,
    issued: LABELS.issued_date,
    expiry: LABELS.expiry_date,
  },
  installation: {
    unnamed: 'Equipo sin nombre',
    software: LABELS.software,
    mac: 'Dirección MAC',
    machineId: 'ID del Equipo',
    ip: 'Dirección IP',
    installed: 'Fecha de Activación',
    heartbeat: DETAIL_LABELS.last_signal,
    never: 'Nunca',
    notes: 'Notas',
  },
  remindersHelp: 'Por correo, antes de que venzan sus licencias.',
  remindersShort: 'Avisos de vencimiento',
  reminded: (wants: boolean) => (wants ? 'Los recibe por correo' : 'No los recibe'),
  bounced: (day: string) =>
    `Rechazó un aviso el ${day}: no se le envían más hasta que reciba otro correo o cambie.`,
  unverified:
    'Sin verificar: lo escribió quien empezó una prueba. Se verifica cuando el cliente entra al portal, o al guardar aquí su correo.',
  noLicenses: 'No hay licencias',
  noLicensesHint: 'Este cliente no tiene licencias asignadas.',
  noInstallations: 'No hay instalaciones',
  noInstallationsHint: 'Este cliente no tiene instalaciones registradas.',
} as const;

/** '1 activa', '0 activas' (D094). */
export const activeCount = (count: number) => countOf(count, { one: 'activa', many: 'activas' });
