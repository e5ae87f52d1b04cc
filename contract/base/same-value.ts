/**
 * Whether two values of a record say the same: what the server compares before and after a save, and the console when
 * it merges two people's edits. The order of an object's keys says nothing. Neither does that of an array, because the
 * arrays of records are choices from a list: events, permissions, days. An absent key is one without a value.
 * @param one a value that JSON can express, as the other
 */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) return isSameChoice(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  const at = (value: Record<string, unknown>, key: string) =>
    Object.hasOwn(value, key) ? value[key] : undefined;
  return [...keys].every((key) => isSameValue(at(one, key), at(other, key)));
}

/** Each element of one has its own equal in the other. */
function isSameChoice(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  const left = [...other];
  return one.every((value) => {
    const at = left.findIndex((candidate) => isSameValue(value, candidate));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether two stored texts say the same: equal texts, or JSON of an object or an array with the same content. For
 * columns only, because two notes of a person may differ though both are such JSON.
 */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parsed(one), parsed(other)];
  return first !== undefined && second !== undefined && isSameValue(first, second);
}

function parsed(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
