import { normalizeForSearch } from '../base/text.ts';

/** Reads what people and programs write for yes and no. */

const YES: ReadonlySet<string> = new Set([
  ...['si', 's', 'yes', 'y', 'true', 'verdadero', 'x', '1'],
  ...['activo', 'activa', 'active', 'vigente'],
]);
const NO: ReadonlySet<string> = new Set([
  ...['no', 'n', 'false', 'falso', '0'],
  ...['inactivo', 'inactiva', 'inactive', 'baja'],
]);

/** @returns null for a text that says neither */
export function readFlag(text: string): boolean | null {
  const word = normalizeForSearch(text).replace(/[^\p{L}\p{N}]+/gu, '');
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}
