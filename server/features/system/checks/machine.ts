import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { clockAhead } from '../../../db/diagnosis.ts';
import { bytesText, type Check, failure, ok, warning } from './check.ts';

/** The allowed difference between the clocks of replicas (docs/operating.md). */
const CLOCK_MS = 20_000;
const CLOCK_NEAR_MS = 5000;

export const clock: Check = {
  id: 'clock',
  needs: 'database',
  run: async ({ db }) => {
    const ahead = await clockAhead(db);
    if (ahead === null) return ok('La base de datos usa el de este equipo.');
    const seconds = Math.round(Math.abs(ahead) / 1000);
    if (Math.abs(ahead) < CLOCK_NEAR_MS) return ok('El mismo que el de la base de datos.');
    const message = `Este equipo está ${seconds} s ${ahead > 0 ? 'atrasado' : 'adelantado'} respecto a la base de datos.`;
    const remedy = 'Pon en hora este equipo y el de la base de datos con NTP (timedatectl set-ntp true).';
    return Math.abs(ahead) > CLOCK_MS ? failure(message, remedy) : warning(message, remedy);
  },
};

const FULL_BYTES = 200e6;
const SCARCE_BYTES = 1e9;

/** The free bytes on the disk of a folder; null if the folder does not exist yet. */
export async function freeBytes(folder: string): Promise<number | null> {
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const disk: Check = {
  id: 'disk',
  needs: 'nothing',
  run: async ({ config }) => {
    const free = await freeBytes(config.dataDir);
    if (free === null) return null;
    const message = `${bytesText(free)} libres donde está DATA_DIR.`;
    if (free < FULL_BYTES) return failure(message, 'Libera espacio: sin él el servidor deja de guardar.');
    if (free < SCARCE_BYTES) return warning(message, 'Libera espacio antes de que se acabe.');
    return ok(message);
  },
};
