import { createInterface } from 'node:readline/promises';
import type { MayReplace } from './copy-error.ts';

type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  output: NodeJS.WritableStream & { isTTY?: boolean | undefined };
};

const WORD = 'reemplazar';

/**
 * Asks in a terminal whether something may be replaced, once for all that a command replaces. Without a terminal nothing
 * is replaced that `--replace` did not name.
 * @param isAgreed whether the command says `--replace`
 */
export function consent(isAgreed: boolean, { input, output }: Terminal = terminal): MayReplace {
  let agreed = isAgreed;
  return async (what) => {
    if (agreed) return true;
    if (!input.isTTY || !output.isTTY) return false;
    const asking = createInterface({ input, output });
    // An input that ends is no answer.
    const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(`${what}\nEscribe ${WORD} para seguir: `), ended]);
    asking.close();
    agreed = answer.trim().toLowerCase() === WORD;
    return agreed;
  };
}

const terminal: Terminal = { input: process.stdin, output: process.stdout };
