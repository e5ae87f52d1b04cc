import type { Integration } from '../../../contract/programs/integration.ts';
import type { Software } from '../../../contract/software/software.ts';
import type { AppContext } from '../../context.ts';
import { listSigningKeys } from './signing/signing-keys.queries.ts';
import { toSigningKey } from './signing/signing-keys.ts';

/** The order of the keys in programs. */
const STATES = ['current', 'next'] as const;

/** The data of a software that its programs must contain. */
export async function integrationOf(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { code }: Pick<Software, 'code'>,
): Promise<Integration> {
  const stored = await listSigningKeys(db);
  const keys = STATES.flatMap((state) =>
    stored
      .filter((key) => key.state === state)
      .map(toSigningKey)
      .map(({ public_jwk, public_pem }) => ({ state, public_jwk, public_pem })),
  );
  return { server: config.publicUrl, software: code, keys };
}
