import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import type { SeatMode } from '../../contract/licenses/seats.ts';
import { countOf } from './format.ts';

/** Texts of seats: the seat mode of a type or a licence (PROG-05, PROG-06). */

export const SEAT_MODE_LABELS: Record<SeatMode, string> = {
  fixed: 'Fijos por equipo',
  floating: 'Flotantes',
};

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
