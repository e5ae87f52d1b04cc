import type { StartMode } from '../../contract/licenses/start.ts';
import { DAY_NOUN } from './es.ts';
import { countOf } from './format.ts';

/** Texts of further sale options: when the term starts, and the last day of updates. */

export const START_MODE_LABELS: Record<StartMode, string> = {
  issue: 'Al emitirse',
  first_activation: 'Al activarse',
};

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
  forDays: (days: number) => `${countOf(days, DAY_NOUN)} desde su activación`,
  /** The choice what a renewal sells. */
  sells: 'Qué se renueva',
  sellsTerm: 'La licencia',
  maintenanceHelp: 'En blanco: los del tipo de licencia, o un año',
  sellsUpdates: 'Solo las actualizaciones',
} as const;

/** 'Al activarse'; '' in a new licence means the type's value. */
export const startModeInWords = (value: string): string =>
  value === '' ? saleTexts.asType : ((START_MODE_LABELS as Record<string, string>)[value] ?? value);
