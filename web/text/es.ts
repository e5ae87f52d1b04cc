import { inSentence, LABELS } from '../../contract/base/labels.ts';
import { CLIENT_STATUS_LABELS } from '../../contract/clients/client-words.ts';
import type { CLIENT_ORDERINGS } from '../../contract/clients/clients.ts';
import { LICENSE_STATUS_LABELS } from '../../contract/licenses/license-words.ts';
import type { EmailStatus } from '../../contract/licenses/licenses.fields.ts';
import type { LICENSE_ORDERINGS } from '../../contract/licenses/licenses.ts';
import type { MainKind } from '../record-kinds.ts';
import { capitalized, countOf, formatNumber, type Noun } from './format.ts';

/**
 * The Spanish texts that several screens share. A text that only one screen uses is in a separate file beside it, so
 * that a screen loads only its own texts. No other files contain visible texts. Labels of a union type are a Record
 * over it, so that a missing case does not compile. Sources: docs/requirements.csv and docs/product-decisions.md.
 */

export const PRODUCT = 'License Manager';

export const actions = {
  cancel: 'Cancelar',
  /** Closes a dialog whose action cannot be undone, without doing the action. */
  back: 'Volver',
  close: 'Cerrar',
  edit: 'Editar',
  remove: 'Eliminar',
  removing: 'Eliminando...',
  viewDetails: 'Ver detalles',
  /** The heading of the column with a row's buttons. */
  column: 'Acciones',
  more: 'Más acciones',
  retry: 'Reintentar',
  export: 'Exportar',
  exporting: 'Exportando...',
  print: 'Imprimir',
  copy: 'Copiar',
  copyKey: 'Copiar clave',
  creating: 'Creando...',
  updating: 'Actualizando...',
  undo: 'Deshacer',
} as const;

/** Shown for a missing value. */
export const NOT_AVAILABLE = 'N/A';

export const states = {
  loading: 'Cargando...',
  loaded: 'Cargado',
  failed: 'Error',
} as const;

/** The document's title of a screen. */
export const documentTitle = (screen: string) => `${screen} · ${PRODUCT}`;

const REGISTERED = 'Registro';

/** The sort orders of the lists. */
export const CLIENT_ORDERING_LABELS: Record<(typeof CLIENT_ORDERINGS)[number], string> = {
  created_at: REGISTERED,
  name: LABELS.name,
  company: LABELS.company,
  client_type: LABELS.type,
  status: LABELS.status,
  license_count: LABELS.licenses,
};

export const LICENSE_ORDERING_LABELS: Record<(typeof LICENSE_ORDERINGS)[number], string> = {
  created_at: REGISTERED,
  issued_date: inSentence(LABELS.issued_date),
  expiry_date: inSentence(LABELS.expiry_date),
  price: LABELS.price,
  status: LABELS.status,
  client_name: LABELS.client,
  software_name: LABELS.software,
  license_type: LABELS.type,
  current_installations: LABELS.installations,
};

/** Software and licence types are masculine, installations feminine. */
export const activeLabel = (isActive: boolean) =>
  isActive ? CLIENT_STATUS_LABELS.active : CLIENT_STATUS_LABELS.inactive;
export const installationActiveLabel = (isActive: boolean) =>
  LICENSE_STATUS_LABELS[isActive ? 'active' : 'inactive'];
/** Depends on the expiry date only, not on the status (D066). */
export const validityLabel = (isExpired: boolean) => (isExpired ? 'Expirada' : 'Válida');
/** Added to the name of an inactive option (D075). */
export const inactiveSuffix = ' (Inactivo)';

export const EMAIL_STATUS_LABELS: Record<EmailStatus, string> = {
  queued: 'En cola',
  sent: 'Enviado',
  failed: 'Falló',
};

/** Used in the details of a client and of a licence. */
export const seeMails = 'Ver correos';

/** The button that opens the form of a new licence. */
export const NEW_LICENSE = 'Nueva Licencia';

/** The names of screens that several files need. The others are in web/screens.ts. */
export const screens = {
  dashboard: 'Dashboard',
  clients: LABELS.clients,
  licenses: LABELS.licenses,
  licenseTypes: 'Tipos de Licencia',
  software: LABELS.software,
  reports: 'Reportes',
  settings: 'Configuración',
  certificate: 'Constancia de licencia',
  receipt: 'Recibo',
  integration: 'Integración',
  account: 'Mi cuenta',
  forgotPassword: 'Olvidé mi contraseña',
  signIn: 'Iniciar Sesión',
  imports: 'Importar datos',
  payments: 'Cobros',
  paymentsReceived: 'Pagos recibidos',
} as const;

/** Titles of sections of Configuración that other pages say too, by the last part of their address. */
export const settingsSections = {
  plantillas: 'Plantillas',
  correos: 'Correos',
  usuarios: 'Usuarios',
  claves: 'Claves de API',
  webhooks: 'Webhooks',
  firma: 'Firma para programas',
} as const;

const ALL_STATUSES = 'Todos los estados';
const BY_STATUS = 'Filtrar por estado';

export const filters = {
  allStatuses: ALL_STATUSES,
  allTypes: 'Todos los tipos',
  byStatus: BY_STATUS,
  byType: 'Filtrar por tipo',
  /** The filter of a list by its rows' status. */
  status: { name: LABELS.status, label: BY_STATUS, all: ALL_STATUSES },
  pageSize: 'Por página',
  clear: 'Limpiar filtros',
  nothingFits: 'Nada coincide con la búsqueda o los filtros.',
} as const;

/** A noun with its gender, which determines articles and participles. */
export interface GenderedNoun extends Noun {
  feminine: boolean;
}

/** The nouns for each kind of record. */
export const KIND_NOUNS = {
  clients: { one: 'cliente', many: 'clientes', feminine: false },
  licenses: { one: 'licencia', many: 'licencias', feminine: true },
  software: { one: 'software', many: 'software', feminine: false },
  license_types: { one: 'tipo de licencia', many: 'tipos de licencia', feminine: false },
} as const satisfies Record<MainKind, GenderedNoun>;

export const DAY_NOUN = { one: 'día', many: 'días' } as const;

export const MACHINE_NOUN = { one: 'equipo', many: 'equipos', feminine: false } as const;

/** 'Tipos de licencia': the heading for a kind of record. */
export const kindTitle = (kind: MainKind) => capitalized(KIND_NOUNS[kind].many);

/** 'Cliente creado exitosamente', 'Error al crear el cliente'. The participle depends on the gender (D099). */
function savingTexts({ one, feminine }: GenderedNoun, create: 'crear' | 'registrar' = 'crear') {
  const done = (verb: string) =>
    `${capitalized(one)} ${verb.slice(0, -1)}d${feminine ? 'a' : 'o'} exitosamente`;
  const failed = (verb: string) => `Error al ${verb} ${feminine ? 'la' : 'el'} ${one}`;
  return {
    created: done(create),
    updated: done('actualizar'),
    deleted: done('eliminar'),
    createFailed: failed(create),
    updateFailed: failed('actualizar'),
    deleteFailed: failed('eliminar'),
  };
}

/** A record in a dialog: loading, not found, failed. */
export function recordTexts(kind: MainKind) {
  const { one, feminine } = KIND_NOUNS[kind];
  return {
    loading: `Cargando información ${feminine ? 'de la' : 'del'} ${one}...`,
    notFound: `${capitalized(one)} no encontrad${feminine ? 'a' : 'o'}`,
    failed: `Error al cargar ${feminine ? 'la' : 'el'} ${one}`,
  };
}

/** The messages about saving and deleting. */
export const toastTexts = {
  clients: savingTexts(KIND_NOUNS.clients),
  licenses: savingTexts(KIND_NOUNS.licenses),
  license_types: savingTexts(KIND_NOUNS.license_types),
  software: savingTexts(KIND_NOUNS.software, 'registrar'),
};

/** The message of a failed export: a Spanish title, and the specified text as detail (D034, SEED-8.1-08 to -10). */
export const exportTexts = {
  title: 'Error al exportar',
  format: 'Elegir formato',
  excel: 'Excel (.xlsx)',
  csv: 'CSV',
  clients: 'Failed to export clients',
  licenses: 'Failed to export licenses',
  software: 'Failed to export software',
} as const;

export const loadErrors = {
  clients: 'Error al cargar los clientes',
  licenses: 'Error al cargar las licencias',
  installations: 'Error al cargar los equipos',
  software: 'Error al cargar el software',
  license_types: 'Error al cargar tipos de licencia',
  screen: 'No se pudo cargar esta pantalla',
  screenHint: 'Puede que haya una versión nueva de la consola. Vuelve a intentarlo.',
  crash: 'Algo salió mal',
  crashHint: 'La consola encontró un error inesperado. Vuelve a intentarlo.',
} as const;

/** Shown while the server cannot be reached (SEED-2.4-07, SEED-2.4-08). */
export const connectionTexts = {
  offline: 'Sin conexión: Verifica tu conexión a internet',
  retry: 'Reintentar Conexión',
  /** For a chosen screen whose code cannot be loaded until the connection is restored. */
  opensLater: (screen: string) => `«${screen}» se abrirá cuando vuelva la conexión.`,
  /** The same text for a dialog. */
  dialogOpensLater: 'Esta ventana se completará cuando vuelva la conexión.',
} as const;

/** For a chosen screen while its code is loading. */
export const openingText = (screen: string) => `Abriendo ${screen}...`;

/** The text above the list of types (D018). */
export const infoStrip = (search: string, total: number | null, state: string) =>
  `Búsqueda: ${search === '' ? 'Ninguna' : `"${search}"`} · Total: ${total === null ? '—' : formatNumber(total)} · Estado: ${state}`;

/** '1,234 licencias'; for a search whose count is limited, 'más de 1000 licencias' (D045). */
export const totalOf = (total: number, isMore: boolean | undefined, noun: Noun) =>
  isMore ? `más de ${total} ${noun.many}` : countOf(total, noun);

/** '4 restantes', '1 restante': the number of free seats. */
export const remainingCount = (count: number) => countOf(count, { one: 'restante', many: 'restantes' });

export const urgencyTexts = { mailFailed: 'Correo fallido' } as const;

/** The verb with which a text in the palette asks for a renewal. */
export const RENEW_VERB = 'Renovar';
export const renewOf = (licenseKey: string) => `${RENEW_VERB} ${licenseKey}`;

export const yesNo = (value: boolean) => (value ? 'Sí' : 'No');

/** The title of the password dialog. Its other texts are in es-step-up.ts. */
export const STEP_UP_TITLE = 'Confirma tu identidad';
