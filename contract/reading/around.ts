/**
 * A text without the signs before its first and after its last character that is kept.
 * @param kept matches such a character; without the flag `g`
 */
export function withoutSignsAround(text: string, kept: RegExp): string {
  const signs = [...text];
  const first = signs.findIndex((sign) => kept.test(sign));
  return first === -1 ? '' : signs.slice(first, signs.findLastIndex((sign) => kept.test(sign)) + 1).join('');
}
