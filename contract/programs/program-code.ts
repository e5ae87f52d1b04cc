import type { Integration } from './integration.ts';

/** The sample data in every example of sdk/. Sample keys are found by KEY_TEXT. */
const SAMPLE_SERVER = 'https://licencias.example.com';
const SAMPLE_SOFTWARE = 'punto-de-venta';

/** 32 bytes in base64url. Every example contains the kid, x and y of a key in this form and order. */
const KEY_TEXT = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Replaces the sample address, code and keys in an SDK example with those of a software. */
export function programCode(example: string, { server, software, keys }: Integration): string {
  const texts = keys.flatMap(({ public_jwk: { kid, x, y } }) => [kid, x, y]);
  return example
    .replace(KEY_TEXT, (sample) => texts.shift() ?? sample)
    .replaceAll(SAMPLE_SERVER, () => server)
    .replaceAll(SAMPLE_SOFTWARE, () => software)
    .trim();
}
