/** The numbers and words of a version: '2.10.0-beta1' has 2, 10, 0, beta, 1. */
const partsOf = (version: string): string[] => version.toLowerCase().match(/\d+|\p{L}+/gu) ?? [];

const isNumber = (part: string | undefined) => part !== undefined && /^\d/.test(part);

/** A missing part is a 0: '2' equals '2.0', and comes after '2-beta'. */
function compareParts(one = '0', other = '0'): number {
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}

/**
 * Compares versions of a software as people number them.
 * @returns less than 0 if the first is older, more than 0 if it is newer, 0 if neither is
 */
export function compareVersions(one: string, other: string): number {
  const [parts, others] = [partsOf(one.replace(/^v(?=\d)/i, '')), partsOf(other.replace(/^v(?=\d)/i, ''))];
  for (let at = 0; at < Math.max(parts.length, others.length); at += 1) {
    const order = compareParts(parts[at], others[at]);
    if (order !== 0) return order;
  }
  return 0;
}
