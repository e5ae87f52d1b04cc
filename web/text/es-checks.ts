import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import type { Refusal } from '../../contract/licenses/license-state.ts';
import { VERDICT_MESSAGES } from '../../contract/licenses/license-verdict.ts';
import type { CheckCall } from '../../contract/programs/checks.ts';
import { actions } from './es.ts';
import { countOf } from './format.ts';

/** Texts of 'Actividad': calls of installed programs, and their results (SELL-07). */
export const checkTexts = {
  title: 'Actividad',
  see: 'Ver actividad',
  seeOf: (name: string) => `Ver actividad de ${name}`,
  ofClient: 'Actividad de sus programas',
  lead: 'Lo que su programa preguntó en los últimos 30 días y lo que se le respondió. Se actualiza solo; lo de hace unos segundos puede tardar en aparecer.',
  loading: 'Cargando la actividad...',
  failed: 'Error al cargar la actividad',
  empty: 'Su programa no ha preguntado en los últimos 30 días',
  emptyHint: 'Si el cliente ya lo abrió, revisa que tenga conexión y que use la clave correcta.',
  refused: 'No funcionó',
  accepted: 'Funcionó',
  noMachine: 'Equipo sin nombre',
  version: (version: string) => `${DETAIL_LABELS.version.toLowerCase()} ${version}`,
  fromIp: (ip: string) => `desde ${ip}`,
  times: (count: number) => countOf(count, { one: 'vez', many: 'veces' }),
  settled: 'Ya se resolvió',
  newLicense: 'Emitir otra licencia',
  copyKey: actions.copyKey,
  allLicenses: 'Ver sus licencias',
} as const;

export const CALL_LABELS: Record<CheckCall, string> = {
  validate: 'Validación',
  activate: 'Activación',
  heartbeat: 'Señal',
};

/** In the past tense: the reason at the time of the call. */
const REASONS: Partial<Record<Refusal, string>> = {
  not_found: 'La clave no existe',
  inactive: 'La licencia estaba inactiva',
  suspended: 'La licencia estaba suspendida',
  cancelled: 'La licencia estaba cancelada',
  expired: 'La licencia estaba vencida',
  updates_ended: 'La licencia no incluye la versión de su programa',
  installation_limit: 'No había lugar para este equipo',
  not_activated: 'El equipo no estaba activado',
};

export const reasonText = (reason: Refusal): string => REASONS[reason] ?? VERDICT_MESSAGES[reason] ?? reason;
