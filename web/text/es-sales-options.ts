import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import type { Features, FeatureValue } from '../../contract/licenses/features.ts';
import { SEAT_MODE_LABELS, START_MODE_LABELS } from '../../contract/licenses/sale-words.ts';
import { DAY_NOUN } from './es.ts';
import { meterTexts } from './es-meters.ts';
import { lengthInWords } from './es-terms.ts';
import { countOf } from './format.ts';

/** Texts of what a type or a licence sells: when the term starts, updates, seats and features. */

export const saleTexts = {
  /** The title of the collapsed section of a form. */
  options: 'Opciones de venta',
  asType: 'Como el tipo de licencia',
  startHelp: 'Al activarse: los días cuentan desde que se activa el primer equipo',
  activateByHelp: 'Si nadie la activa en estos días desde la emisión, empieza sola (de 1 a 3,650)',
  activateByHelpNew:
    'Si nadie la activa en estos días desde la emisión, empieza sola. En blanco: los del tipo',
  updatesDaysHelp: 'Las versiones que salgan después no la aceptan; las anteriores siguen. En blanco: todas',
  updatesUntilHelp: 'El último día cuyas versiones incluye. En blanco: todas',
  updatesUntilHelpNew: 'El último día cuyas versiones incluye. En blanco: como el tipo',
  activateBy: (day: string) => `o el ${day}, si nadie la activa`,
  withinDays: (days: number) => `o a los ${countOf(days, DAY_NOUN)} de emitirse`,
  forDays: (days: number, months: number | null | undefined) =>
    `${lengthInWords(days, months)} desde su activación`,
  /** The choice what a renewal sells. */
  sells: 'Qué se renueva',
  sellsTerm: 'La licencia',
  maintenanceHelp: 'En blanco: los del tipo de licencia, o un año',
  sellsUpdates: 'Solo las actualizaciones',
} as const;

/** 'Al activarse'; '' in a new licence means the type's value. */
export const startModeInWords = (value: string): string =>
  value === '' ? saleTexts.asType : ((START_MODE_LABELS as Record<string, string>)[value] ?? value);

/** Seats (PROG-05, PROG-06). */

export const seatTexts = {
  /** For a new licence: the type's value. */
  asType: 'Como el tipo de licencia',
  modeHelp: 'Fijos: cada equipo conserva el suyo. Flotantes: se prestan a los equipos que están en uso',
  leaseHelp:
    'Sin señal del programa durante estos minutos, el lugar queda libre para otro equipo (de 5 a 10,080)',
  selfHelp: 'El usuario puede dejar libre su equipo desde el programa, por ejemplo al cambiar de equipo',
  releasesHelp: 'Cuántos equipos se pueden liberar así cada mes. En blanco: sin límite',
  releasesHelpNew: 'Cuántos equipos se pueden liberar así cada mes. En blanco: los del tipo',
  lease: (minutes: number) => `Préstamo de ${countOf(minutes, { one: 'minuto', many: 'minutos' })}`,
  selfRelease: (most: number | null) =>
    most === null
      ? 'Sin límite por mes'
      : `Hasta ${countOf(most, { one: 'equipo', many: 'equipos' })} por mes`,
  version: (version: string) => `${DETAIL_LABELS.version} ${version}`,
  until: (time: string) => `Lugar flotante, prestado hasta el ${time}`,
  file: (day: string) => `Archivo hasta el ${day}`,
  lapsed: 'Lugar flotante libre: el préstamo venció',
} as const;

/** 'Flotantes', 'Fijos por equipo'. */
export const seatModeInWords = (value: string): string =>
  value === '' ? seatTexts.asType : ((SEAT_MODE_LABELS as Record<string, string>)[value] ?? value);

/** The texts of features: codes with values that the vendor's program reads (PROG-04). */
export const featureTexts = {
  help: 'Lo que el programa puede ofrecer, por código: módulos, límites o textos',
  helpNew: 'Lo que el programa puede ofrecer, por código. Sin ninguna: las del tipo',
  none: 'Sin características',
  add: 'Agregar característica',
  code: meterTexts.code,
  kind: 'Clase',
  value: 'Valor',
  kinds: { boolean: 'Sí o no', integer: 'Número entero', text: 'Texto' },
  /** The number of the line, from 1, makes the names of its inputs unique. */
  ofLine: (label: string, number: number) => `${label} de la característica ${number}`,
  remove: (code: string, number: number) => `Quitar ${code === '' ? `la característica ${number}` : code}`,
  integer: 'Escribe un número entero',
  fix: 'Corrige las líneas marcadas',
} as const;

/** 'Sí', '25', 'anual'. */
export const featureInWords = (value: FeatureValue): string =>
  typeof value === 'boolean' ? (value ? 'Sí' : 'No') : String(value);

/** 'modulo_nomina: Sí, usuarios: 25'; empty if there are no features. */
export const featuresInWords = (features: Features): string =>
  Object.entries(features)
    .map(([code, value]) => `${code}: ${featureInWords(value)}`)
    .join(', ');
