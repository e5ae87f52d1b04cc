/**
 * The values of a union type, in the order of their labels. It reads the labels, which a screen loads anyway, because
 * importing the contract's list would also load the schemas.
 */
export function choicesOf<Key extends string>(labels: Readonly<Record<Key, unknown>>): Key[] {
  // The keys of a Record of a union are the union's members; the type of Object.keys cannot express that.
  return Object.keys(labels) as Key[];
}
