import { openDatabase } from '../../../db/open.ts';
import {
  BEHIND_MAX_MS,
  commitNothing,
  type StandbyState,
  standbyEngine,
  standbyState,
} from '../../../db/read-standby.ts';
import { type Check, ok, warning } from './check.ts';

/** Checks the standby from which reports are read (OPS-05); if it cannot be used, the primary answers reports. */
export const readStandby: Check = {
  id: 'read_standby',
  needs: 'database',
  run: async ({ config, db }) => {
    const engine = standbyEngine(config);
    if (engine === null) return null;
    const standby = openDatabase({ ...engine, pool: 1 }, () => {});
    try {
      await commitNothing(db);
      return verdict(await standbyState(standby));
    } catch {
      return warning(
        'La base de datos de DATABASE_READ_URL no responde; los reportes se leen en la principal.',
        'Revisa la dirección, la red y que la réplica acepte consultas (hot_standby).',
      );
    } finally {
      await standby.destroy();
    }
  },
};

function verdict({ isStandby, behindMs }: StandbyState) {
  if (!isStandby) {
    return warning(
      'DATABASE_READ_URL no lleva a una réplica; los reportes se leen en la principal.',
      'Escribe la dirección de una réplica, o quita la variable.',
    );
  }
  if (behindMs === null || behindMs > BEHIND_MAX_MS) {
    const lag = behindMs === null ? '' : ` (${seconds(behindMs)})`;
    return warning(
      `La réplica de DATABASE_READ_URL está más de ${seconds(BEHIND_MAX_MS)} atrás${lag}; los reportes se leen en la principal.`,
      'Revisa la red y la carga de la réplica.',
    );
  }
  return ok(`Los reportes se leen en una réplica, ${seconds(behindMs)} atrás.`);
}

/** '2 s'; if the standby's clock is behind, a negative lag is shown as 0. */
const seconds = (ms: number) => `${Math.max(0, Math.round(ms / 1000))} s`;
