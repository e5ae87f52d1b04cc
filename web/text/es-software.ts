import { filters, recordTexts, screens } from './es.ts';
import { countOf, formatNumber } from './format.ts';

/** The texts of the software screen (docs/requirements.csv, docs/product-decisions.md). */
export const softwareTexts = {
  title: screens.software,
  subtitle: 'Gestiona el software registrado',
  create: 'Nuevo Software',
  edit: 'Editar Software',
  details: 'Detalles del Software',
  search: 'Buscar software...',
  searchLabel: 'Buscar software',
  activeFilter: filters.byStatus,
  active: { all: 'Todos', active: 'Activos', inactive: 'Inactivos' },
  empty: 'No hay software',
  emptyHint: 'Ajusta los filtros o registra tu primer software.',
  createFirst: 'Registrar tu primer software',
  submitCreate: 'Crear Software',
  submitEdit: 'Actualizar Software',
  confirmDelete: '¿Estás seguro de que quieres eliminar este software?',
  /** One record in a dialog: loading, not found, failed. */
  record: recordTexts('software'),
  tabs: { summary: 'Resumen', integration: screens.integration },
  section: 'Información del Software',
  versionPlaceholder: '1.0.0',
  codeHelp: 'Con este código lo nombra tu programa. No cambia aunque cambie el nombre.',
  copyCode: 'Copiar código',
  publicHelp: 'Tu tienda lo puede mostrar: nombre, versión y descripción se leen sin contraseña.',
  noDescription: 'Sin descripción',
  noTrials: 'No se ofrecen',
  trialHelp: 'Con este tipo empieza una prueba quien instala el programa, sin cuenta ni clave',
  trialsADay: (count: number) => `Hasta ${formatNumber(count)} por día`,
  /** The accessible name of the number of active licences, which is a link. */
  seeLicenses: (active: number) => `${formatNumber(active)}: ver sus licencias`,
} as const;

/** The label of the link to the page 'Integración', which has the developer kit. */
export const kitTitle = 'Para tu programador';

/** '3 licencias activas', '1 licencia activa'. */
export const activeLicenseCount = (count: number) =>
  countOf(count, { one: 'licencia activa', many: 'licencias activas' });
