import type { CheckState } from '../../../contract/system/system.ts';
import { actions, filters } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
import type { BadgeTone } from '../../ui/badge.tsx';

/** Texts of 'Sistema' (OPS-02). */

export const CHECK_STATE_LABELS: Record<CheckState, string> = {
  ok: 'Bien',
  warning: 'Aviso',
  failure: 'Falla',
};

export const CHECK_TONES: Record<CheckState, BadgeTone> = {
  ok: 'success',
  warning: 'warning',
  failure: 'danger',
};

export const ENGINE_LABELS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** '1.5 GB', with 1 kB = 1000 bytes, as disks are labelled. */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step]}`;
}

export const systemTexts = {
  loading: 'Cargando el estado del sistema...',
  notFound: 'No hay datos del sistema',
  failed: 'Error al cargar el estado del sistema',
  checks: 'Comprobaciones',
  checkedAt: 'Última vez:',
  never: 'Todavía no se ha comprobado.',
  check: 'Comprobar ahora',
  checking: buttons.checking,
  checkFailed: 'No se pudo comprobar el sistema',
  slow: 'La comprobación tarda más de lo normal',
  slowHint: 'Su resultado aparecerá aquí cuando termine.',
  doctor:
    'En el servidor, npm run doctor comprueba además el archivo de la base de datos, el proxy y las cuentas guardadas.',
  remedy: 'Qué hacer:',
  server: 'Servidor',
  version: 'Versión del programa',
  database: 'Base de datos',
  startedAt: 'En marcha desde',
  sizes: { database: 'Tamaño de la base de datos', log: 'Registro de escritura', disk: 'Espacio libre' },
  jobs: 'Trabajos en segundo plano',
  jobCounts: ({ waiting, running, failed }: { waiting: number; running: number; failed: number }) =>
    `${waiting} en espera · ${running} en curso · ${failed} con falla`,
  stateFilter: filters.byStatus,
  allStates: filters.allStatuses,
  jobsLoading: 'Cargando los trabajos...',
  jobsFailed: 'Error al cargar los trabajos',
  noJobs: 'Ningún trabajo',
  noJobsHint: 'Nada espera ni falló con ese estado.',
  tries: (count: number) => (count === 1 ? '1 intento falló' : `${count} intentos fallaron`),
  runAt: 'Le toca:',
  retry: actions.retry,
  retryOf: (name: string) => `Reintentar: ${name}`,
  retrying: 'Reintentando...',
  retried: 'El trabajo se reintenta',
  retryFailed: 'No se pudo reintentar el trabajo',
  noun: { one: 'trabajo', many: 'trabajos' },
  drill: 'OUTBOUND=0: nada sale de este servidor',
  drillHint:
    'Los correos y los webhooks esperan, y no se llama a ningún proveedor de pagos. Es para un simulacro con una copia restaurada.',
} as const;
