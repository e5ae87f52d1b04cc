/**
 * The numbers of bank accounts to which clients transfer (MONEY-11): as people type and paste them, and whether their
 * check digits fit. Without schemas, so that the console loads no more than this.
 */

/** México: a CLABE, for transfers by SPEI. */
const CLABE_DIGITS = 18;
/** Argentina: a CBU of a bank, or a CVU of a wallet. */
const CBU_DIGITS = 22;

/** Marks that nobody sees. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** What may stand between the digits of a number: spaces of all kinds, dashes, points, slashes. */
const BETWEEN = /[\s.,/_'·\p{Pd}]/gu;

/**
 * The number as it is stored and copied. One of digits alone has nothing between them; another one, such as an alias
 * or an IBAN, keeps its letters and signs.
 */
export function cleanAccountNumber(typed: string): string {
  const plain = typed.normalize('NFKC').replace(INVISIBLE, '').trim();
  const digits = plain.replace(BETWEEN, '');
  return /^\d+$/.test(digits) ? digits : plain.replace(/\s+/g, ' ');
}

const weighted = (digits: string, weights: readonly number[], of: (product: number) => number): number =>
  [...digits].reduce((sum, digit, place) => sum + of(Number(digit) * weights[place % weights.length]!), 0);

/** The digit that takes a sum to the next ten. */
const toNextTen = (sum: number): number => (10 - (sum % 10)) % 10;

/** Whether the last of 18 digits is the check digit of the others: weights 3, 7, 1, each product modulo 10. */
const isClabe = (number: string): boolean =>
  toNextTen(weighted(number.slice(0, -1), [3, 7, 1], (product) => product % 10)) === Number(number.at(-1));

/** Whether the check digits of a CBU's two blocks fit: the bank and its branch, and the account. */
function isCbu(number: string): boolean {
  const fits = (block: string, weights: readonly number[]) =>
    toNextTen(weighted(block.slice(0, -1), weights, (product) => product)) === Number(block.at(-1));
  return fits(number.slice(0, 8), [7, 1, 3, 9, 7, 1, 3]) && fits(number.slice(8), [3, 9, 7, 1]);
}

/** In México one also transfers to the ten digits of a phone, and to the sixteen of a card. */
const MEXICAN_LENGTHS = [10, CLABE_DIGITS];
const CARD_DIGITS = [15, 16];

export const ACCOUNT_WARNINGS = {
  clabe: (number: string) =>
    `La CLABE ${number} tiene un dígito que no corresponde. Cópiala de nuevo de tu banco.`,
  cbu: (number: string) =>
    `El CBU ${number} tiene un dígito que no corresponde. Cópialo de nuevo de tu banco.`,
  clabeLength: (number: string) =>
    `Una CLABE tiene ${CLABE_DIGITS} dígitos, y ${number} tiene ${number.length}`,
  cbuLength: (number: string) => `Un CBU tiene ${CBU_DIGITS} dígitos, y ${number} tiene ${number.length}`,
} as const;

/** What is odd about a cleaned number of an account in a currency; null for nothing. It is stored all the same. */
export function accountWarning({ number, currency }: { number: string; currency: string }): string | null {
  if (!/^\d+$/.test(number)) return null;
  const { length } = number;
  if (length === CLABE_DIGITS) return isClabe(number) ? null : ACCOUNT_WARNINGS.clabe(number);
  if (length === CBU_DIGITS) return isCbu(number) ? null : ACCOUNT_WARNINGS.cbu(number);
  if (currency === 'ARS') return ACCOUNT_WARNINGS.cbuLength(number);
  const isKnown = MEXICAN_LENGTHS.includes(length) || CARD_DIGITS.includes(length);
  return currency === 'MXN' && !isKnown ? ACCOUNT_WARNINGS.clabeLength(number) : null;
}
