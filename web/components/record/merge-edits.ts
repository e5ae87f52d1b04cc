/** The names of a form's fields. */
type FieldOf<Values> = Extract<keyof Values, string>;

/** What both changed, differently: to be asked about. */
export interface EditConflict<Values> {
  /** The field, or the switch that the fields depend on. */
  field: FieldOf<Values>;
  /** All that the answer decides: the field alone, or a switch with what depends on it. */
  fields: readonly FieldOf<Values>[];
}

export interface MergedEdits<Values> {
  /** The merge; where there is a conflict it holds `mine`. */
  merged: Values;
  conflicts: readonly EditConflict<Values>[];
  /** The fields that only the other person changed; a switch stands for what depends on it. */
  taken: readonly FieldOf<Values>[];
}

/** How the fields of a form are compared. */
export interface MergeRules<Values> {
  /** What each field comes to when it is saved: '5' and '5.00' are one price. As it stands unless told, less outer blanks. */
  comparable?: (form: Values) => Partial<Record<keyof Values, unknown>>;
  /** A switch and the fields that mean nothing without it: turned by one, changed by the other, they are one question. */
  switches?: Partial<Record<FieldOf<Values>, readonly FieldOf<Values>[]>>;
}

/**
 * Merges what two people did to one record (D091). What only one of them changed is kept, from either side; what both
 * changed to the same is no conflict.
 * @param base the form as it was opened
 * @param mine the form as it is typed now
 * @param theirs the form of the record as another person saved it
 */
export function mergeEdits<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
  { comparable = (form) => form, switches = {} }: MergeRules<Values> = {},
): MergedEdits<Values> {
  const [read, typed, saved] = [comparable(base), comparable(mine), comparable(theirs)];
  const byMe = (field: FieldOf<Values>) => !same(read[field], typed[field]);
  const byThem = (field: FieldOf<Values>) => !same(read[field], saved[field]);
  const differs = (field: FieldOf<Values>) => !same(typed[field], saved[field]);

  // Object.keys gives back the names that the type demands.
  const all = Object.keys(base) as FieldOf<Values>[];
  const units = new Map<FieldOf<Values>, readonly FieldOf<Values>[]>();
  for (const field of all) {
    const dependent = switches[field];
    if (dependent !== undefined && differs(field)) units.set(field, [field, ...dependent]);
  }
  const inUnits = new Set([...units.values()].flat());

  const merged = { ...mine };
  const conflicts: EditConflict<Values>[] = [];
  const taken: FieldOf<Values>[] = [];
  for (const field of all) {
    const fields = units.get(field) ?? (inUnits.has(field) ? [] : [field]);
    if (!fields.some(byThem)) continue;
    if (fields.some(byMe)) {
      if (fields.some(differs)) conflicts.push({ field, fields });
      continue;
    }
    for (const name of fields) merged[name] = theirs[name];
    taken.push(field);
  }
  return { merged, conflicts, taken };
}

/** Texts less outer blanks, everything else by what it holds: a picked client is an object. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim();
  return JSON.stringify(one) === JSON.stringify(other);
}
