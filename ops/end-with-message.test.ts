import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../test/postgres/free-port.ts';

/** What a command of the operator prints when it fails. */

/** Connects to two addresses of one name, which fails like a connection to `localhost` with IPv6. */
const TWO_ADDRESSES = `
  const { endWithMessage } = await import(process.argv[1]);
  const { connect } = await import('node:net');
  const lookup = (_name, _options, answer) =>
    answer(null, [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]);
  connect({ host: 'localhost', port: Number(process.argv[2]), lookup, autoSelectFamily: true }).on('error', endWithMessage);
`;

test('a refused connection to several addresses is printed with each of them', async () => {
  const port = await freePort();
  const program = join(import.meta.dirname, 'end-with-message.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', TWO_ADDRESSES, program, String(port)],
    { encoding: 'utf8' },
  );
  expect([status, stderr.trim()]).toEqual([
    1,
    `connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`,
  ]);
});
