import { SECRET_KEY_FILE, secretKeyFits } from '../../../secret-key.ts';
import { type Check, failure, ok } from './check.ts';

export const secretKey: Check = {
  id: 'secret_key',
  needs: 'schema',
  run: async ({ db, config }) => {
    const fit = await secretKeyFits(db, config);
    if (fit === 'fits') return ok('Es la de esta base de datos.');
    if (fit === 'new') return ok('La guardará el primer inicio.');
    const remedy = `Indica la misma SECRET_KEY en todos los procesos, o copia ${SECRET_KEY_FILE} del respaldo a ${config.dataDir}. Si se perdió: npm run user -- lost-key.`;
    if (fit === 'missing') {
      return failure(`No hay SECRET_KEY ni ${SECRET_KEY_FILE} en la carpeta de datos.`, remedy);
    }
    return failure('La base de datos se creó con otra SECRET_KEY.', remedy);
  },
};
