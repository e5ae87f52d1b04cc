import { formatNumber } from './format.ts';

/**
 * Texts of the list of licences (docs/requirements.csv, docs/product-decisions.md). Those of its dialogs are in
 * es-license.ts.
 */
export const licenseTexts = {
  title: 'Licencias',
  subtitle: 'Gestiona las licencias de software',
  create: 'Nueva Licencia',
  edit: 'Editar Licencia',
  details: 'Detalles de la Licencia',
  createdTitle: '¡Licencia Creada Exitosamente!',
  batchTitle: '¡Licencias Creadas Exitosamente!',
  batchCreated: (count: number) => `${formatNumber(count)} licencias creadas exitosamente`,
  search: 'Buscar licencias...',
  searchLabel: 'Buscar licencias',
  unknownType: 'Otro tipo',
  statusFilter: 'Filtrar por estado',
  typeFilter: 'Filtrar por tipo',
  activeFilter: 'Filtrar por vigencia',
  active: { all: 'Todas', active: 'Activas', inactive: 'Inactivas' },
  categoryGroup: 'Categoría',
  catalogueGroup: 'Tipo de licencia',
  tableCaption: 'Lista de licencias',
  empty: 'No hay licencias',
  emptyHint: 'Ajusta los filtros o crea tu primera licencia.',
  createFirst: 'Crear tu primera licencia',
  confirmDelete: '¿Estás seguro de que quieres eliminar esta licencia?',
  /** One record in a dialog: loading, not found, failed. */
  record: {
    loading: 'Cargando información de la licencia...',
    notFound: 'Licencia no encontrada',
    failed: 'Error al cargar la licencia',
  },
  noun: { one: 'licencia', many: 'licencias' },
  noExpiry: 'Sin expiración',
  /** Shown after '1/5' on a phone, where the column has no heading. */
  seats: ' inst.',
  columns: {
    license: 'Licencia',
    client: 'Cliente',
    software: 'Software',
    type: 'Tipo',
    status: 'Estado',
    installations: 'Instalaciones',
    expiry: 'Expiración',
    actions: 'Acciones',
  },
  copyKey: 'Copiar clave',
} as const;
