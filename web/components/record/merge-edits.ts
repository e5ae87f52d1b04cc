import { isSameValue } from '../../../contract/base/same-value.ts';

/** The names of a form's fields. */
type FieldOf<Values> = Extract<keyof Values, string>;

/** A field that both people changed to different values. */
export interface EditConflict<Values> {
  /** The field, or the switch of dependent fields. */
  field: FieldOf<Values>;
  /** The fields that the answer applies to: one field, or a switch with its dependent fields. */
  fields: readonly FieldOf<Values>[];
}

interface MergedEdits<Values> {
  /** The merged values; a field in conflict has the value of `mine`. */
  merged: Values;
  conflicts: readonly EditConflict<Values>[];
  /** The fields that only the other person changed; a switch represents its dependent fields. */
  taken: readonly FieldOf<Values>[];
}

/** How the fields of a form are compared. */
export interface MergeRules<Values> {
  /**
   * The value of each field as it will be saved, so that the prices '5' and '5.00' are equal. Default: the trimmed
   * value.
   */
  comparable?: (form: Values) => Partial<Record<keyof Values, unknown>>;
  /**
   * A switch and its dependent fields. If one person changed the switch and the other a dependent field, that is one
   * question.
   */
  switches?: Partial<Record<FieldOf<Values>, readonly FieldOf<Values>[]>>;
}

/**
 * Merges two people's edits of one record (D091). If only one of them changed a field, that change is taken; if both
 * changed it to the same value, there is no conflict.
 * @param base the form's values when it was opened
 * @param mine the form's current values
 * @param theirs the form values of the record that the other person saved
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

  // The cast is safe: the keys of the object are the names in its type.
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

/** A merge of a form with what another person saved. */
export interface Merge<Values> extends MergedEdits<Values> {
  mine: Values;
  theirs: Values;
  /** True if the saved record is the one that this form sent without getting an answer. */
  isOwn: boolean;
}

/**
 * Merges the values of a form into the record that another person saved.
 * @param versions those of {@link mergeEdits}, and in `inDoubt` values that this form sent without getting an answer:
 * if they were stored, they are not another person's change
 */
export function mergeSaved<Values extends object>(
  { base, mine, theirs, inDoubt }: { base: Values; mine: Values; theirs: Values; inDoubt: Values | null },
  rules?: MergeRules<Values>,
): Merge<Values> {
  const isOwn = inDoubt !== null && mergeEdits(inDoubt, inDoubt, theirs, rules).taken.length === 0;
  return { ...mergeEdits(isOwn ? inDoubt : base, mine, theirs, rules), mine, theirs, isOwn };
}

/** Compares trimmed texts, and other values by content: a selected client is an object. */
export function same(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim();
  return isSameValue(one, other);
}
