import type { GenderedNoun } from './es.ts';
import { counted, ending } from './es-lists.ts';
import { formatNumber } from './format.ts';

/** Texts of bulk actions, loaded with the bulk bar (LIST-01, LIFE-06). */

export const bulkTexts = {
  newStatus: 'Nuevo estado',
  chooseStatus: 'Selecciona un estado',
  names: 'Registros elegidos',
  others: (count: number) => `y ${formatNumber(count)} más`,
  allMatching: (filters: string) =>
    filters === '' ? 'Son todos los registros de la lista.' : `Coinciden con: ${filters}.`,
  progress: (done: number, total: number) => `${formatNumber(done)} de ${formatNumber(total)}`,
  working: 'En curso',
  stop: 'Detener',
  stopping: 'Deteniendo...',
  result: 'Resultado',
  failed: (count: number, noun: GenderedNoun) => `No se pudo con ${counted(count, noun)}`,
  interrupted: 'El trabajo no terminó',
  callFailed: 'No se pudo completar la acción',
} as const;

export type CommonBulkAction =
  | 'set_status'
  | 'resend_email'
  | 'release_seats'
  | 'add_tag'
  | 'remove_tag'
  | 'delete';

export interface BulkActionTexts {
  /** The label of the bar's button; the dialog's title begins with it. */
  label: string;
  title: (what: string) => string;
  question: (what: string, noun: GenderedNoun) => string;
  confirm: string;
  busy: string;
  done: (count: number, noun: GenderedNoun) => string;
}

export const BULK_TEXTS: Record<CommonBulkAction, BulkActionTexts> = {
  set_status: {
    label: 'Cambiar estado',
    title: (what) => `Cambiar estado de ${what}`,
    question: () => 'Todos los registros elegidos quedan con el mismo estado.',
    confirm: 'Cambiar estado',
    busy: 'Cambiando...',
    done: (count, noun) => `Estado cambiado en ${counted(count, noun)}`,
  },
  resend_email: {
    label: 'Reenviar correo',
    title: (what) => `Reenviar correo de ${what}`,
    question: (what) => `Se envía de nuevo a cada cliente la información de su licencia: ${what}.`,
    confirm: 'Reenviar',
    busy: 'Reenviando...',
    done: (count, noun) => `Correo reenviado de ${counted(count, noun)}`,
  },
  release_seats: {
    label: 'Liberar equipos',
    title: (what) => `Liberar los equipos de ${what}`,
    question: (what) =>
      `Se liberan todos los equipos de ${what}. Para volver a usarse tendrán que activarse de nuevo.`,
    confirm: 'Liberar',
    busy: 'Liberando...',
    done: (count, noun) => `Equipos liberados de ${counted(count, noun)}`,
  },
  add_tag: {
    label: 'Añadir etiqueta',
    title: (what) => `Añadir etiqueta a ${what}`,
    question: () => 'Las que ya tienen se conservan.',
    confirm: 'Añadir',
    busy: 'Añadiendo...',
    done: (count, noun) => `Etiqueta añadida a ${counted(count, noun)}`,
  },
  remove_tag: {
    label: 'Quitar etiqueta',
    title: (what) => `Quitar etiqueta de ${what}`,
    question: () => 'Las demás se conservan.',
    confirm: 'Quitar',
    busy: 'Quitando la etiqueta...',
    done: (count, noun) => `Etiqueta quitada de ${counted(count, noun)}`,
  },
  delete: {
    label: 'Eliminar',
    title: (what) => `Eliminar ${what}`,
    question: (what) => `¿Estás seguro de que quieres eliminar ${what}? No se puede deshacer.`,
    confirm: 'Eliminar',
    busy: 'Eliminando...',
    done: (count, noun) => `${counted(count, noun)} eliminad${ending(count, noun)}`,
  },
};

/** Texts of the preview: how many licences an action will change (LIFE-06). */
export const previewTexts = {
  loading: 'Calculando cuántas lo admiten...',
  failed: 'No se pudo calcular cuántas lo admiten',
  possible: (possible: number, total: number) =>
    possible === total
      ? `${total === 1 ? 'La licencia admite' : `Las ${formatNumber(total)} licencias admiten`} la acción.`
      : `${possible === 0 ? 'Ninguna' : formatNumber(possible)} de ${formatNumber(total)} ${possible === 1 || possible === 0 ? 'admite' : 'admiten'} la acción.`,
  refused: 'Las que no',
  reason: (count: number, message: string) => `${formatNumber(count)}: ${message}`,
} as const;
