import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { consent } from './consent.ts';

/** A fake terminal with an answer; null ends the input without an answer. */
function terminal(isTTY: boolean, answer: string | null) {
  const streams = {
    input: Object.assign(new PassThrough(), { isTTY }),
    output: Object.assign(new PassThrough(), { isTTY }),
  };
  if (answer === null) streams.input.end();
  else streams.input.write(`${answer}\n`);
  return { ...streams, said: () => String(streams.output.read() ?? '') };
}

test('on a terminal the question is asked once, and only the exact word is accepted (OPS-03)', async () => {
  const yes = terminal(true, 'Reemplazar');
  const mayReplace = consent(false, yes);
  expect(await mayReplace('La carpeta ya tiene una base de datos.')).toBe(true);
  expect(yes.said()).toContain('La carpeta ya tiene una base de datos.');
  // The second question of the same command is not asked.
  expect(await mayReplace('Y otra clave.')).toBe(true);
  for (const answer of ['', 's', 'sí', 'yes', 'no', null]) {
    expect(await consent(false, terminal(true, answer))('La carpeta')).toBe(false);
  }
});

test('without a terminal only --replace is accepted, and nothing is asked (OPS-03)', async () => {
  const pipe = terminal(false, 'reemplazar');
  expect(await consent(false, pipe)('La carpeta')).toBe(false);
  expect(await consent(true, pipe)('La carpeta')).toBe(true);
  expect(pipe.said()).toBe('');
});
