/**
 * How the concept of a payment request is read: people copy it from the bank's list of movements, which writes it in
 * capitals, often without its hyphen and among other words (MONEY-11, MONEY-13).
 */

const INVISIBLE = /\p{Cf}/gu;
const CONCEPT =
  /(?<![\p{L}\p{M}\p{N}])cobro[\s\p{Pd}\u2043\u2212_.:#]*0*([1-9]\d{0,14})(?![\p{L}\p{M}\p{N}])/giu;

/**
 * The id of the one request that a text names: 'COBRO-12', 'cobro 12', 'SPEI COBRO12 GRUPO SOL'.
 * @returns null if the text names none, or several different ones
 */
export function requestIdIn(text: string): number | null {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  const ids = new Set([...plain.matchAll(CONCEPT)].map(([, digits]) => Number(digits)));
  const [only = null] = ids;
  return ids.size === 1 ? only : null;
}
