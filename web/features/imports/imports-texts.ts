import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMode, ImportResult } from '../../../contract/imports/imports.ts';
import { actions, type GenderedNoun, KIND_NOUNS, screens } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
import { filterDialogTexts } from '../../text/es-filters.ts';
import { counted, ending } from '../../text/es-lists.ts';
import { countOf, formatNumber } from '../../text/format.ts';

/** The texts of the wizard 'Importar' (IMPORT-03). */

export const importSteps = ['Archivo', 'Columnas', 'Revisión', 'Resultado'] as const;

const newOnes = ({ feminine }: GenderedNoun) => (feminine ? 'nuevas' : 'nuevos');

export const importTexts = {
  title: (noun: GenderedNoun) => `Importar ${noun.many}`,
  subtitle: 'Trae tus datos desde una hoja de cálculo, en cuatro pasos.',
  back: (kind: ImportKind) => `Volver a ${screens[kind]}`,
  steps: 'Pasos de la importación',
  stepDone: 'listo',
  kinds: '¿Qué contiene tu archivo?',
  previous: 'Atrás',
  another: 'Importar otro archivo',
  record: {
    loading: 'Cargando la importación...',
    notFound: 'Esta importación ya no existe',
    notFoundHint:
      'El archivo se guarda solo unos días. Lo que ya se había importado sigue en tus listas. Puedes subir el archivo otra vez.',
    failed: 'Error al cargar la importación',
  },
  callFailed: 'No se pudo continuar',
  stopped: 'La revisión se detuvo',
  stoppedHint: 'Tus columnas siguen elegidas: puedes revisar el archivo otra vez.',
} as const;

export const fileTexts = {
  title: 'Elige tu archivo',
  subtitle:
    'Un archivo de Excel o CSV, o las celdas copiadas de tu hoja: una fila de encabezados y una fila por registro.',
  drop: 'Arrastra tu archivo aquí, o pega tus celdas',
  choose: 'Elegir archivo',
  paste: 'Pegar celdas',
  pastedName: 'Celdas pegadas.csv',
  limits: (megabytes: number, rows: number) =>
    `Excel (.xlsx) o CSV, hasta ${formatNumber(megabytes)} MB y ${formatNumber(rows)} filas.`,
  /** Licences refer to existing clients and software. */
  before:
    'Antes de importar licencias, importa o registra su software. Los clientes que falten se pueden crear con ellas.',
  uploading: (name: string) => `Subiendo ${name}`,
  sent: (sent: string, total: string) => `${sent} de ${total}`,
  reading: 'Leyendo el archivo...',
  waiting: 'Se perdió la conexión. El archivo se subirá solo en cuanto vuelva.',
  cancel: actions.cancel,
  retry: 'Subir de nuevo',
  kept: (name: string) => `Tu sesión terminó mientras se subía «${name}». El archivo sigue elegido.`,
  failed: 'No se pudo subir el archivo',
  sheets: (name: string) => `«${name}» tiene varias hojas. ¿Cuál quieres importar?`,
  sheet: 'Hoja',
  goOn: 'Continuar',
  otherFile: 'Elegir otro archivo',
  sample: 'Descargar un archivo de ejemplo',
  sampleHint: 'Trae los encabezados correctos y dos filas que puedes reemplazar.',
} as const;

/** Why a file was refused, and what to do. */
export const FILE_REFUSALS = {
  empty: 'El archivo está vacío. Revisa que guardaste la hoja con tus datos y elígelo otra vez.',
  too_large: (megabytes: number) =>
    `El archivo pesa más de ${formatNumber(megabytes)} MB. Divídelo en varios e impórtalos uno por uno.`,
  spreadsheet:
    'Ese tipo de hoja de cálculo no se puede leer. Ábrela, elige Guardar como › «Libro de Excel (.xlsx)» (en Google Sheets: Archivo › Descargar) y elige el archivo nuevo.',
  no_cells:
    'Lo que copiaste no tiene filas. En tu hoja, selecciona los encabezados junto con las filas, cópialos y pégalos aquí.',
  no_clipboard: 'El navegador no permite leer lo que copiaste. Presiona Ctrl+V (en Mac, ⌘V) en esta página.',
  not_text: 'Ese archivo no es de Excel ni CSV. Elige el que guardaste desde tu hoja de cálculo.',
  unreadable:
    'No se pudo leer el archivo. Si lo tienes abierto en Excel, ciérralo; si lo moviste o lo cambiaste, elígelo otra vez.',
} as const;

const MODE_LABELS: Record<ImportMode, (noun: GenderedNoun) => string> = {
  create: (noun) => `Crear ${newOnes(noun)}`,
  update: () => 'Actualizar existentes',
  upsert: () => 'Crear y actualizar',
};

const one = (kind: ImportKind) => `${KIND_NOUNS[kind].feminine ? 'una' : 'un'} ${KIND_NOUNS[kind].one}`;

/** The key fields by which a row finds its record, in Spanish with 'el mismo' and with 'ese'. */
const FOUND_BY: Record<ImportKind, { same: string; that: string }> = {
  clients: { same: 'el mismo email', that: 'ese email' },
  software: { same: 'el mismo nombre y versión', that: 'ese nombre y esa versión' },
  licenses: { same: 'la misma clave de licencia', that: 'esa clave de licencia' },
};

const MODE_HELP: Record<ImportMode, (kind: ImportKind) => string> = {
  create: (kind) => `Si ya hay ${one(kind)} con ${FOUND_BY[kind].same}, la fila se marca como error.`,
  update: (kind) =>
    `Cambia lo que ya está. Si no hay ${one(kind)} con ${FOUND_BY[kind].that}, la fila se marca como error.`,
  upsert: (kind) => `Cambia lo que tiene ${FOUND_BY[kind].same} y crea lo demás.`,
};

export const columnTexts = {
  title: 'Relaciona tus columnas',
  subtitle: (rows: number, columns: number) =>
    `Tu archivo tiene ${countOf(rows, { one: 'fila', many: 'filas' })} y ${countOf(columns, { one: 'columna', many: 'columnas' })}.`,
  recognised: (known: number, all: number) =>
    known === all
      ? 'Reconocimos todas. Revisa que cada una vaya al campo correcto.'
      : `Reconocimos ${formatNumber(known)} de ${formatNumber(all)}. Revisa que cada una vaya al campo correcto.`,
  /** The label of a column's select. */
  fieldOf: (column: string) => `Campo para «${column}»`,
  leaveOut: 'No importar',
  required: (label: string) => `${label} (obligatorio)`,
  noData: 'Sin datos en las primeras filas',
  missing: (labels: string, several: boolean) =>
    several
      ? `Faltan campos obligatorios: ${labels}. Elige sus columnas, o escribe un valor para todas las filas.`
      : `Falta un campo obligatorio: ${labels}. Elige su columna, o escribe un valor para todas las filas.`,
  missingKey: (labels: string) => `Para actualizar hace falta: ${labels}. Elige en qué columna está.`,
  encodings: '¿Cómo se leen bien tus letras?',
  encodingsHint:
    'El archivo no dice con qué letras se guardó. Elige la opción en que las palabras se leen bien: abajo se ve cómo queda cada columna.',
  sheet: (name: string) => `Hoja «${name}».`,
  forAll: 'Sin columna en tu archivo',
  forAllHint: 'Lo que escribas vale para todas las filas.',
  chooseOne: 'Elige uno',
  newClients: 'Crear los clientes que falten',
  newClientsHint: 'Uno por cada email que no tenga cliente, con el nombre de la fila.',
  newClientsCount: (count: number) =>
    count === 1
      ? 'En la última revisión faltaba 1 cliente.'
      : `En la última revisión faltaban ${formatNumber(count)} clientes.`,
  dateOrder: (column: string) => `Orden de las fechas de «${column}»`,
  dateOrders: { dmy: 'Día primero: 31/12/2026', mdy: 'Mes primero: 12/31/2026' },
  anyOrder: 'Según las fechas de la columna',
  warnings: 'Esto notamos al leer tu archivo',
  modes: '¿Qué quieres hacer?',
  modeLabel: (mode: ImportMode, noun: GenderedNoun) => MODE_LABELS[mode](noun),
  modeHelp: (mode: ImportMode, kind: ImportKind) => MODE_HELP[mode](kind),
  cells: 'Una celda vacía deja el dato como está; un guion (-) lo borra.',
  check: 'Revisar archivo',
  checking: 'Revisando...',
} as const;

export const reviewTexts = {
  title: 'Revisa antes de importar',
  subtitle: 'Todavía no se ha guardado nada.',
  checking: 'Revisando las filas',
  cancelCheck: 'Detener revisión',
  figures: {
    create: 'Por crear',
    update: 'Por actualizar',
    unchanged: 'Sin cambios',
    errors: 'Filas con error',
  },
  allGood: 'No encontramos errores.',
  columnsKnown: (columns: number) =>
    `${columns === 1 ? 'Reconocimos la columna' : `Reconocimos las ${formatNumber(columns)} columnas`} de tu archivo. Para cambiar algo, o para actualizar lo que ya existe, elige «Atrás».`,
  someWrong: (count: number) =>
    count === 1
      ? '1 fila tiene errores y no se importará. Corrígela aquí, o en tu hoja y sube el archivo otra vez.'
      : `${formatNumber(count)} filas tienen errores y no se importarán. Corrígelas aquí, o en tu hoja y sube el archivo otra vez.`,
  nothing:
    'No hay nada que importar todavía: corrige los errores aquí, o en tu hoja y sube el archivo otra vez.',
  nothingNew: 'No hay nada que importar: todo está ya como en tu archivo.',
  notify: 'Enviar por correo las licencias nuevas a sus clientes',
  notifyHelp: (count: number) =>
    count === 1
      ? 'Se enviará 1 correo. Sin marcar, nadie recibe correo.'
      : `Se enviarán ${formatNumber(count)} correos. Sin marcar, nadie recibe correo.`,
  run: (count: number, noun: GenderedNoun) => `Importar ${counted(count, noun)}`,
  starting: 'Iniciando...',
  other: fileTexts.otherFile,
  checkAgain: (count: number) =>
    count === 1 ? 'Guardar 1 corrección y revisar' : `Guardar ${formatNumber(count)} correcciones y revisar`,
  newClients: (count: number) =>
    count === 1
      ? 'También se creará 1 cliente que falta.'
      : `También se crearán ${formatNumber(count)} clientes que faltan.`,
  unknownClients: 'Hay filas cuyo email no tiene cliente.',
  makeClients: columnTexts.newClients,
} as const;

const cellsOf = (count: number) => countOf(count, { one: 'celda', many: 'celdas' });
const rowsOf = (count: number) => countOf(count, { one: 'fila', many: 'filas' });

/** What a check noticed, each a sentence about so many cells. */
export const findingTexts = {
  title: 'Lo que notamos',
  grouped: (count: number) =>
    `${countOf(count, { one: 'número lleva', many: 'números llevan' })} tres cifras tras su único signo: se ${count === 1 ? 'lee' : 'leen'} como miles.`,
  suspicious: (count: number) =>
    `${cellsOf(count)} ${count === 1 ? 'parece cambiada' : 'parecen cambiadas'} por la hoja de cálculo y se ${count === 1 ? 'guarda como está' : 'guardan como están'}.`,
  duplicates: (count: number, kind: ImportKind) =>
    kind === 'licenses'
      ? `${rowsOf(count)} ${count === 1 ? 'nombra a un cliente que quizá ya existe' : 'nombran a clientes que quizá ya existen'}.`
      : `${rowsOf(count)} ${count === 1 ? 'puede ser un cliente que ya existe' : 'pueden ser clientes que ya existen'}.`,
  email: (count: number) =>
    `${countOf(count, { one: 'email parece', many: 'emails parecen' })} mal escrito${count === 1 ? '' : 's'}.`,
  fixed: (count: number, label: string) =>
    `${cellsOf(count)} de ${label} se ${count === 1 ? 'guarda corregida' : 'guardan corregidas'}.`,
  missingStored: (count: number, label: string, value: string) =>
    `${rowsOf(count)} no ${count === 1 ? 'trae' : 'traen'} ${label}: se guarda «${value}».`,
  missing: (count: number, label: string) =>
    `${rowsOf(count)} ${count === 1 ? 'queda' : 'quedan'} sin ${label}.`,
  phonesFixed: 'Los teléfonos se guardan con la clave de su país.',
  phonesKept: 'Los teléfonos se guardan como están en tu archivo.',
  keepPhones: 'Guardarlos como están',
  fixPhones: 'Guardarlos con su clave de país',
  orders: {
    dmy: (column: string) => `«${column}» se lee con el día primero.`,
    mdy: (column: string) => `«${column}» se lee con el mes primero.`,
    ymd: (column: string) => `«${column}» se lee con el año primero.`,
  },
  assumed: 'Ninguna de sus fechas dice cuál es el orden.',
  mixed: (column: string) => `«${column}» tiene fechas en los dos órdenes. Elige uno, o corrige las demás.`,
  otherOrder: { dmy: 'Leer con el mes primero', mdy: 'Leer con el día primero' },
  bothOrders: { dmy: 'Leer con el día primero', mdy: 'Leer con el mes primero' },
  samples: (count: number) => (count === 1 ? 'Ver la celda' : `Ver las primeras ${formatNumber(count)}`),
  cell: 'En tu archivo',
  stored: 'Se guarda',
  blank: 'vacía',
  nothing: 'nada',
  use: buttons.use,
} as const;

/** The correction of a cell in place. */
export const cellTexts = {
  correct: 'Corregir',
  label: (row: string, field: string) => `${field} de la fila ${row}`,
  done: filterDialogTexts.done,
  undo: 'Quitar corrección',
  corrected: (text: string) => (text === '' ? 'Corregida: vacía' : `Corregida: ${text}`),
  failed: 'Error al leer la fila',
} as const;

export const errorTexts = {
  title: 'Errores',
  caption: 'Errores del archivo',
  row: 'Fila',
  field: 'Campo',
  wholeRow: 'Toda la fila',
  /** The place of an error, in a narrow table. */
  place: (row: string, field: string) => `Fila ${row} · ${field}`,
  message: 'Qué corregir',
  hint: 'El número de fila es el de tu hoja de cálculo.',
  more: (count: number) => `Ver ${formatNumber(count)} más`,
  shown: (shown: number, total: number) =>
    `Se muestran los primeros ${formatNumber(shown)} de ${formatNumber(total)} errores. El CSV los trae todos.`,
  download: 'Descargar errores (CSV)',
  downloadFailed: 'Error al descargar los errores',
  fileName: 'errores-de-importacion.csv',
} as const;

const created = (count: number, noun: GenderedNoun) =>
  count === 1 ? `Se creó 1 ${noun.one}` : `Se crearon ${counted(count, noun)}`;
const updated = (count: number) =>
  count === 1 ? 'se actualizó 1' : `se actualizaron ${formatNumber(count)}`;

/** 'Se crearon 98 clientes y se actualizaron 2.' */
function done(
  { created: made, updated: changed }: Pick<ImportResult, 'created' | 'updated'>,
  noun: GenderedNoun,
) {
  if (made === 0 && changed === 0) return 'No se guardó ningún cambio.';
  if (changed === 0) return `${created(made, noun)}.`;
  if (made > 0) return `${created(made, noun)} y ${updated(changed)}.`;
  return changed === 1 ? `Se actualizó 1 ${noun.one}.` : `Se actualizaron ${counted(changed, noun)}.`;
}

const undoWord = 'Deshacer importación';

/** 'Se eliminan los 98 clientes que creó, y los 2 que actualizó vuelven a sus valores anteriores.' */
function undoText(
  {
    created: made,
    updated: changed,
    new_clients: clients,
  }: Pick<ImportResult, 'created' | 'updated' | 'new_clients'>,
  noun: GenderedNoun,
) {
  const the = (count: number) =>
    count === 1 ? (noun.feminine ? 'la' : 'el') : noun.feminine ? 'las' : 'los';
  const removed =
    made > 0 &&
    (made === 1
      ? `se elimina ${the(1)} ${noun.one} que creó`
      : `se eliminan ${the(made)} ${counted(made, noun)} que creó`);
  const ofLicenses = clients > 0 && `los clientes que creó se eliminan si nada más los usa`;
  const restored =
    changed > 0 &&
    (changed === 1
      ? `${the(1)} que actualizó vuelve a sus valores anteriores`
      : `${the(changed)} ${formatNumber(changed)} que actualizó vuelven a sus valores anteriores`);
  const text = [removed, ofLicenses, restored].filter(Boolean).join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Si algo cambió o ya se usa, no se deshace nada y te decimos qué es.`;
}

export const resultTexts = {
  running: 'Importando',
  undoing: 'Deshaciendo',
  undoLeave: 'Puedes salir de esta página: se sigue deshaciendo en el servidor.',
  /** The titles of the final states. */
  ended: {
    done: 'Importación terminada',
    cancelled: 'Importación cancelada',
    failed: 'La importación no terminó',
    undone: 'Importación deshecha',
  },
  progress: 'Avance de la importación',
  rows: (done: number, total: number) => `${formatNumber(done)} de ${formatNumber(total)} filas`,
  percent: (percent: number) => `${percent} %`,
  /** Announced to screen readers at each quarter. */
  spoken: (percent: number) => `${percent} por ciento de las filas`,
  leave:
    'Puedes salir de esta página: la importación sigue en el servidor. Vuelve a esta dirección para ver cómo va.',
  offline: 'Sin conexión con el servidor. La importación sigue; el avance se actualizará cuando vuelva.',
  cancel: 'Cancelar importación',
  cancelling: buttons.cancelling,
  cancelTitle: '¿Cancelar la importación?',
  cancelText: (noun: GenderedNoun) =>
    `${noun.feminine ? 'Las' : 'Los'} ${noun.many} que ya se guardaron se conservan. Las filas que faltan no se importan.`,
  goOn: 'Seguir importando',
  figures: {
    created: (noun: GenderedNoun) => `Cread${ending(2, noun)}`,
    updated: (noun: GenderedNoun) => `Actualizad${ending(2, noun)}`,
    unchanged: 'Sin cambios',
    errors: 'Filas con error',
  },
  done,
  leftOut: (count: number) =>
    count === 1
      ? '1 fila tenía errores y no se importó.'
      : `${formatNumber(count)} filas tenían errores y no se importaron.`,
  newClients: (count: number) =>
    count === 1 ? 'También se creó 1 cliente.' : `También se crearon ${formatNumber(count)} clientes.`,
  /** What an undone import left behind. */
  undone: (kept: number) =>
    kept === 0
      ? 'Todo quedó como antes de importar.'
      : kept === 1
        ? 'Casi todo quedó como antes: 1 fila cambió entretanto y se conserva.'
        : `Casi todo quedó como antes: ${formatNumber(kept)} filas cambiaron entretanto y se conservan.`,
  keptTitle: 'Lo que se conserva',
  undo: undoWord,
  undoHint: (until: string) => `Puedes deshacerla hasta ${until}.`,
  undoTitle: '¿Deshacer la importación?',
  undoText,
  undoStarting: buttons.checking,
  undoRefused: 'Lo que impide deshacerla',
  undoRefusedHint: 'No se deshizo nada. Estas filas del archivo cambiaron o ya se usan.',
  cancelled: 'Lo que ya se había guardado se conserva.',
  failed:
    'Hubo un problema en el servidor. Lo que ya se había guardado se conserva. Puedes subir el archivo otra vez: la revisión te dirá qué falta.',
  see: {
    clients: 'Ver clientes',
    software: 'Ver software',
    licenses: 'Ver licencias',
  } satisfies Record<ImportKind, string>,
} as const;

/** Clients of an import that may be the same as others (MERGE-01). */
export const twinTexts = {
  title: 'Quizá son el mismo cliente:',
  and: ' y ',
  open: 'Fusionar',
  merge: (one: string, other: string) => `Fusionar ${one} y ${other}`,
} as const;
