import { createInterface } from 'node:readline/promises';
import type { MayReplace } from './copy-error.ts';

type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  output: NodeJS.WritableStream & { isTTY?: boolean | undefined };
};

const WORD = 'reemplazar';

/**
 * Asks in a terminal whether data may be replaced; one answer holds for the whole command. Without a terminal, data is
 * replaced only with `--replace`.
 * @param isAgreed whether the command has `--replace`
 */
export function consent(isAgreed: boolean, { input, output }: Terminal = terminal): MayReplace {
  let agreed = isAgreed;
  return async (what) => {
    if (agreed) return true;
    if (!input.isTTY || !output.isTTY) return false;
    const asking = createInterface({ input, output });
    // If the input ends, that counts as no.
    const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(`${what}\nEscribe ${WORD} para seguir: `), ended]);
    asking.close();
    agreed = answer.trim().toLowerCase() === WORD;
    return agreed;
  };
}

const terminal: Terminal = { input: process.stdin, output: process.stdout };
