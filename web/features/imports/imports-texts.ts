import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMode, ImportResult } from '../../../contract/imports/imports.ts';
import { actions, type GenderedNoun, KIND_NOUNS, screens } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
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
    'Un archivo CSV, o las celdas copiadas de tu hoja: una fila de encabezados y una fila por registro.',
  drop: 'Arrastra tu archivo aquí, o pega tus celdas',
  choose: 'Elegir archivo',
  paste: 'Pegar celdas',
  pastedName: 'Celdas pegadas.csv',
  limits: (megabytes: number, rows: number) =>
    `CSV separado por comas o por punto y coma, hasta ${formatNumber(megabytes)} MB y ${formatNumber(rows)} filas.`,
  /** Licences refer to existing clients and software. */
  before: 'Antes de importar licencias, importa o registra sus clientes y su software.',
  uploading: (name: string) => `Subiendo ${name}`,
  sent: (sent: string, total: string) => `${sent} de ${total}`,
  reading: 'Leyendo el archivo...',
  waiting: 'Se perdió la conexión. El archivo se subirá solo en cuanto vuelva.',
  cancel: actions.cancel,
  retry: 'Subir de nuevo',
  kept: (name: string) => `Tu sesión terminó mientras se subía «${name}». El archivo sigue elegido.`,
  failed: 'No se pudo subir el archivo',
  sample: 'Descargar un archivo de ejemplo',
  sampleHint: 'Trae los encabezados correctos y dos filas que puedes reemplazar.',
} as const;

/** Why a file was refused, and what to do. */
export const FILE_REFUSALS = {
  empty: 'El archivo está vacío. Revisa que guardaste la hoja con tus datos y elígelo otra vez.',
  too_large: (megabytes: number) =>
    `El archivo pesa más de ${formatNumber(megabytes)} MB. Divídelo en varios e impórtalos uno por uno.`,
  spreadsheet:
    'Ese archivo es una hoja de cálculo. Guárdala primero como CSV, como se explica aquí abajo, y elige el archivo nuevo.',
  unicode_text:
    'El archivo está guardado como «Texto Unicode». Guárdalo otra vez y elige el tipo «CSV UTF-8 (delimitado por comas)».',
  no_cells:
    'Lo que copiaste no tiene filas. En tu hoja, selecciona los encabezados junto con las filas, cópialos y pégalos aquí.',
  no_clipboard: 'El navegador no permite leer lo que copiaste. Presiona Ctrl+V (en Mac, ⌘V) en esta página.',
  not_text: 'Ese archivo no es un CSV. Elige el que guardaste desde tu hoja de cálculo.',
  unreadable:
    'No se pudo leer el archivo. Si lo tienes abierto en Excel, ciérralo; si lo moviste o lo cambiaste, elígelo otra vez.',
} as const;

export const saveAsTexts = {
  title: 'Cómo guardar una hoja de cálculo como CSV',
  programs: [
    {
      name: 'En Excel',
      steps: [
        'Abre tu archivo y elige la hoja que quieres importar.',
        'Ve a Archivo › Guardar como (o Guardar una copia).',
        'En el tipo de archivo elige «CSV UTF-8 (delimitado por comas)».',
        'Guarda. Si Excel avisa que solo se guarda la hoja activa, acepta.',
      ],
    },
    {
      name: 'En Google Sheets',
      steps: [
        'Abre tu hoja y elige la pestaña que quieres importar.',
        'Ve a Archivo › Descargar.',
        'Elige «Valores separados por comas (.csv)».',
        'El archivo queda en tu carpeta de descargas.',
      ],
    },
  ],
  phones:
    'Si los teléfonos se ven como 5.25512E+11, dale a esa columna formato de Texto y vuelve a escribirlos antes de guardar.',
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
      ? `Faltan campos obligatorios: ${labels}. Elige en qué columnas están.`
      : `Falta un campo obligatorio: ${labels}. Elige en qué columna está.`,
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
      ? '1 fila tiene errores y no se importará. Puedes corregirla en tu hoja y subir el archivo otra vez.'
      : `${formatNumber(count)} filas tienen errores y no se importarán. Puedes corregirlas en tu hoja y subir el archivo otra vez.`,
  nothing: 'No hay nada que importar: corrige los errores en tu hoja y sube el archivo otra vez.',
  nothingNew: 'No hay nada que importar: todo está ya como en tu archivo.',
  notify: 'Enviar por correo las licencias nuevas a sus clientes',
  notifyHelp: (count: number) =>
    count === 1
      ? 'Se enviará 1 correo. Sin marcar, nadie recibe correo.'
      : `Se enviarán ${formatNumber(count)} correos. Sin marcar, nadie recibe correo.`,
  run: (count: number, noun: GenderedNoun) => `Importar ${counted(count, noun)}`,
  starting: 'Iniciando...',
  other: 'Elegir otro archivo',
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

export const resultTexts = {
  running: 'Importando',
  /** The titles of the final states. */
  ended: {
    done: 'Importación terminada',
    cancelled: 'Importación cancelada',
    failed: 'La importación no terminó',
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
  cancelled: 'Lo que ya se había guardado se conserva.',
  failed:
    'Hubo un problema en el servidor. Lo que ya se había guardado se conserva. Puedes subir el archivo otra vez: la revisión te dirá qué falta.',
  see: {
    clients: 'Ver clientes',
    software: 'Ver software',
    licenses: 'Ver licencias',
  } satisfies Record<ImportKind, string>,
} as const;
