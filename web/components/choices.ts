/**
 * The values of a union, in the order in which their labels are written. A screen that only filters by them needs the
 * words anyway, and not the schemas that lie beside the contract's own list.
 */
export function choicesOf<Key extends string>(labels: Readonly<Record<Key, string>>): Key[] {
  // A Record of a union has the union's members as its keys and no others; the type of Object.keys cannot say so.
  return Object.keys(labels) as Key[];
}
