import { z } from 'zod';
import { namesNoMachine } from '../reading/machine-ids.ts';

/** What an answer to a program says of an id that names no machine (INPUT-09). The call counts all the same. */
const NAMES_NO_MACHINE =
  'Este identificador lo dan muchos equipos cuando no conocen el suyo: todos usarían el mismo lugar. Envía uno propio de cada equipo';

/** The part of an answer's schema; absent if there is nothing to warn of. */
export const machineWarningShape = {
  warnings: z.object({ machine_id: z.array(z.string()).min(1) }).optional(),
};

/** The part of an answer: empty for an id that names a machine. */
export const machineWarning = (machineId: string): { warnings?: { machine_id: [string] } } =>
  namesNoMachine(machineId) ? { warnings: { machine_id: [NAMES_NO_MACHINE] } } : {};
