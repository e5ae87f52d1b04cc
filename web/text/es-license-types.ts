import { inSentence, LABELS } from '../../contract/base/labels.ts';
import { actions, DAY_NOUN, recordTexts, screens } from './es.ts';
import { buttons } from './es-buttons.ts';
import { GRACE_HELP, OFFLINE_HELP } from './es-days.ts';
import { countOf } from './format.ts';

/** The texts of the licence types screen (docs/requirements.csv, docs/product-decisions.md). */
export const licenseTypeTexts = {
  title: screens.licenseTypes,
  subtitle: 'Administra los tipos de licencia disponibles',
  create: 'Nuevo Tipo',
  createTitle: 'Nuevo Tipo de Licencia',
  edit: 'Editar Tipo de Licencia',
  details: 'Detalles del Tipo de Licencia',
  search: 'Buscar tipos de licencia...',
  searchLabel: 'Buscar tipos de licencia',
  tableCaption: inSentence(screens.licenseTypes),
  empty: 'No hay tipos de licencia',
  emptyHint: 'Ajusta la búsqueda o crea tu primer tipo de licencia.',
  createFirst: 'Crear tu primer tipo de licencia',
  presets: 'Empezar con',
  presetNames: {
    annual: 'Anual por equipo',
    perpetual: 'Perpetua con actualizaciones',
    floating: 'Flotante',
    metered: 'Por uso',
    trial: 'Prueba',
  },
  submitCreate: buttons.create,
  submitEdit: 'Actualizar Tipo de Licencia',
  /** One record in a dialog: loading, not found, failed. */
  record: recordTexts('license_types'),
  renewalPriceHelp: 'En blanco: el precio base, con su promoción',
  graceHelp: GRACE_HELP,
  offlineHelp: `${OFFLINE_HELP} 0: solo con conexión.`,
  promotionHelp: 'Agrega un nombre, un descuento y fechas de vigencia',
  publicHelp: 'Tu tienda lo puede mostrar: nombre, descripción, precio y condiciones se leen sin contraseña.',
  activeHelp: 'Los tipos inactivos aparecen marcados al crear una licencia',
  noDescription: 'Sin descripción',
  notLimited: 'Sin fecha',
  activated: 'Tipo de licencia activado exitosamente',
  deactivated: 'Tipo de licencia desactivado exitosamente',
  undone: 'Cambio de estado deshecho',
  toggleFailed: 'Error al cambiar el estado del tipo de licencia',
  terms: 'Condiciones de venta',
  promotion: 'Promoción',
  confirmDeleteTitle: 'Confirmar Eliminación',
  confirmDelete: (name: string) =>
    `¿Estás seguro de que quieres eliminar el tipo de licencia "${name}"? Esta acción no se puede deshacer.`,
  activate: 'Activar',
  deactivate: buttons.deactivate,
  columns: {
    name: LABELS.name,
    price: 'Precio Base',
    configuration: screens.settings,
    status: LABELS.status,
    actions: actions.column,
  },
  sections: { basic: 'Información Básica', promotion: 'Configuración de Promoción', status: LABELS.status },
} as const;

/** '5 instalaciones', '1 instalación'. */
export const installationCount = (count: number) =>
  countOf(count, { one: 'instalación', many: 'instalaciones' });
/** '365 días', '1 día'. */
export const dayCount = (count: number) => countOf(count, DAY_NOUN);
