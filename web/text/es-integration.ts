import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { inSentence, LABELS } from '../../contract/base/labels.ts';
import type { Refusal } from '../../contract/licenses/license-state.ts';
import { VERDICT_MESSAGES } from '../../contract/licenses/license-verdict.ts';
import { LICENSE_LABELS } from '../../contract/licenses/licenses.fields.ts';
import { recordTexts } from './es.ts';
import { buttons } from './es-buttons.ts';
import { kitTitle } from './es-software.ts';

/** Texts of 'Integración' in the details of a software (PROG-08). */
export const integrationTexts = {
  back: 'Volver al software',
  record: {
    loading: 'Cargando los datos de la integración...',
    notFound: recordTexts('software').notFound,
    failed: 'Error al cargar los datos de la integración',
  },
  lead: 'Tu programa le pregunta a este servidor si su licencia vale en ese equipo. Sin conexión sigue con la última respuesta, que está firmada y nadie puede falsificar.',
  language: 'Lenguaje',
  fileStep: '1. Agrega el SDK a tu programa',
  download: (file: string) => `Descargar ${file}`,
  needs: (what: string, place?: string) =>
    ['Es corto, para que puedas leerlo.', `Necesita ${what}.`, place].filter(Boolean).join(' '),
  codeStep: '2. Agrega este código donde empieza tu programa',
  codeHelp:
    'Ya tiene los datos de este software. Comprueba al iniciar, y después cada vez que el resultado lo pide.',
  code: (language: string) => `Código de ${language}`,
  copyCode: 'Copiar código',
  copied: buttons.copied,
  local:
    'Esta dirección solo sirve en este equipo. Antes de publicar tu programa, inicia el servidor con PUBLIC_URL.',
  keys: 'Claves públicas',
  keysHelp:
    'El código de arriba ya las incluye. Van escritas en tu programa: nunca las leas del servidor ni de un archivo que otra persona pueda cambiar.',
} as const;

/** 'Para tu programador': the developer kit. */
export const kitTexts = {
  title: kitTitle,
  lead: 'Un archivo .zip con el SDK, un ejemplo que ya tiene los datos de este software, las claves públicas y las instrucciones. Envíaselo a quien programa.',
  all: 'También los otros SDK',
  trial: 'Con una clave de prueba que funciona',
  trialHelp: (days: number, seats: number) =>
    `Una licencia de prueba a nombre de tu empresa: ${days} días y ${seats} equipos. No se le envía correo a nadie, y si ya hay una que vale se usa esa.`,
  download: 'Descargar .zip',
  downloading: buttons.preparing,
  failed: 'No se pudo preparar el archivo',
  done: 'Archivo descargado',
  withKey: (key: string) => `Trae la clave de prueba ${key}`,
} as const;

/** Texts of the key check. */
export const keyCheckTexts = {
  title: 'Probar una clave',
  lead: 'Muestra lo que se le diría a un programa en este momento. No ocupa ningún lugar.',
  key: inSentence(LABELS.license_key),
  keyMissing: 'La clave de licencia es obligatoria',
  machine: DETAIL_LABELS.machine,
  machineHelp:
    'El identificador que envía el programa. Con el de un equipo activado ves lo que ve ese equipo.',
  machineMissing: 'El identificador del equipo es obligatorio',
  /** The id of a machine without a seat, for the check. */
  anyMachine: 'equipo-de-prueba',
  check: 'Probar',
  checking: 'Probando...',
  outcome: 'Resultado de la prueba',
  reason: DETAIL_LABELS.reason,
  license: LABELS.license,
  until: 'Sin conexión, hasta',
  ends: 'Fin de la licencia',
  noEnd: 'Sin vencimiento',
  features: LICENSE_LABELS.features,
  signature: 'Firma',
  signed: (isNext: boolean) =>
    isNext ? 'Comprobada con la clave siguiente' : 'Comprobada con la clave actual',
  answer: 'Ver la respuesta firmada',
  seatsLeft: (left: number, seats: number) =>
    left === 1 ? `Queda 1 lugar de ${seats}.` : `Quedan ${left} lugares de ${seats}.`,
  graceUntil: (date: string) => `Ya terminó y está en sus días de gracia, hasta el ${date}.`,
  /** Shown if the browser has no WebCrypto. */
  insecure:
    'La firma no se comprobó: los navegadores solo lo permiten con https o en localhost. Esto es lo que respondió el servidor.',
  unbelieved: 'El programa no creería esta respuesta',
  unbelievedText: {
    stale:
      'La firmó una clave que tu programa no tiene. Si alguien acaba de rotar la clave, vuelve a abrir esta página.',
    other:
      'Algo entre este navegador y el servidor cambió la respuesta. Un programa seguiría con la última respuesta buena que guardó.',
  },
} as const;

/** For each result: what it means for the program, and what to do. */
export const VERDICT_TEXTS: Record<Refusal | 'valid', { title: string; text: string }> = {
  valid: {
    title: 'El programa puede trabajar',
    text: 'La licencia vale y este equipo está activado.',
  },
  not_activated: {
    title: 'El programa puede trabajar después de activarse',
    text: 'La licencia vale, pero este equipo todavía no está activado. El programa lo activa solo al iniciar y ocupa un lugar.',
  },
  installation_limit: {
    title: 'No quedan lugares',
    text: 'Todos los lugares de la licencia están ocupados por otros equipos. Libera un equipo que ya no se use, o amplía la licencia.',
  },
  not_found: {
    title: 'La clave no existe',
    text: 'Revisa que esté completa. Si la clave se cambió, la anterior dejó de valer en ese momento.',
  },
  wrong_software: {
    title: 'La clave es de otro software',
    text: 'Este programa no la acepta. Emite una licencia de este software, o prueba la clave donde corresponde.',
  },
  inactive: {
    title: VERDICT_MESSAGES.inactive,
    text: 'Edita la licencia y ponla en estado Activa para que el programa trabaje.',
  },
  suspended: {
    title: VERDICT_MESSAGES.suspended,
    text: 'El programa se detiene hasta que la reactives, en «Más acciones» de la licencia.',
  },
  cancelled: {
    title: VERDICT_MESSAGES.cancelled,
    text: 'Una licencia cancelada no vuelve a valer. Si tu cliente sigue, emite otra.',
  },
  updates_ended: {
    title: 'La versión es posterior a las actualizaciones',
    text: 'La licencia no incluye esta versión del programa; las anteriores siguen. Vende más días de actualizaciones con «Renovar», o cambia «Actualizaciones hasta» al editarla.',
  },
  expired: {
    title: 'La licencia venció',
    text: 'Renuévala o dale una prórroga, en «Más acciones» de la licencia.',
  },
};
