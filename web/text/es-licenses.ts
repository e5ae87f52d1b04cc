import { inSentence, LABELS } from '../../contract/base/labels.ts';
import { actions, filters, KIND_NOUNS, NEW_LICENSE, recordTexts, screens } from './es.ts';

/**
 * Texts of the list of licences (docs/requirements.csv, docs/product-decisions.md). Those of its dialogs are in
 * es-license.ts.
 */
export const licenseTexts = {
  title: screens.licenses,
  subtitle: 'Gestiona las licencias de software',
  create: NEW_LICENSE,
  edit: 'Editar Licencia',
  details: 'Detalles de la Licencia',
  createdTitle: '¡Licencia Creada Exitosamente!',
  batchTitle: '¡Licencias Creadas Exitosamente!',
  search: 'Buscar licencias...',
  searchLabel: 'Buscar licencias',
  unknownType: 'Otro tipo',
  statusFilter: filters.byStatus,
  typeFilter: filters.byType,
  activeFilter: 'Filtrar por vigencia',
  active: { all: 'Todas', active: 'Activas', inactive: 'Inactivas' },
  categoryGroup: 'Categoría',
  catalogueGroup: inSentence(LABELS.license_type),
  tableCaption: 'Lista de licencias',
  empty: 'No hay licencias',
  emptyHint: 'Ajusta los filtros o crea tu primera licencia.',
  createFirst: 'Crear tu primera licencia',
  confirmDelete: '¿Estás seguro de que quieres eliminar esta licencia?',
  /** One record in a dialog: loading, not found, failed. */
  record: recordTexts('licenses'),
  noun: KIND_NOUNS.licenses,
  /** Shown after '1/5' on a phone, where the column has no heading. */
  seats: ' inst.',
  columns: {
    license: LABELS.license,
    client: LABELS.client,
    software: LABELS.software,
    type: LABELS.type,
    status: LABELS.status,
    installations: LABELS.installations,
    expiry: 'Expiración',
    actions: actions.column,
  },
  copyKey: actions.copyKey,
} as const;
