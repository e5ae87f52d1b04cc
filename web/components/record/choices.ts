/**
 * The values of a union, in the order of their labels. A screen that only filters by them needs the labels anyway; the
 * contract's own list would bring the schemas too.
 */
export function choicesOf<Key extends string>(labels: Readonly<Record<Key, unknown>>): Key[] {
  // The keys of a Record of a union are the union's members; the type of Object.keys cannot express that.
  return Object.keys(labels) as Key[];
}
