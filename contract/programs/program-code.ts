import type { Integration } from './integration.ts';

/** The sample data that every example of sdk/ contains; its keys are found by their form. */
const SAMPLE_SERVER = 'https://licencias.example.com';
const SAMPLE_SOFTWARE = 'punto-de-venta';

/** 32 bytes in base64url: the kid, the x and the y of a key are written so, in this order, in every example. */
const KEY_TEXT = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** The example of an SDK with the address, the code and the keys of a software. */
export function programCode(example: string, { server, software, keys }: Integration): string {
  const texts = keys.flatMap(({ public_jwk: { kid, x, y } }) => [kid, x, y]);
  return example
    .replace(KEY_TEXT, (sample) => texts.shift() ?? sample)
    .replaceAll(SAMPLE_SERVER, () => server)
    .replaceAll(SAMPLE_SOFTWARE, () => software)
    .trim();
}
