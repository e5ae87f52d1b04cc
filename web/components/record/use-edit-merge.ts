import { useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { conflictTexts } from '../../text/es-forms.ts';
import type { ConflictChoice, ConflictQuestion } from './conflict-notice.tsx';
import { type EditConflict, type Merge, type MergeRules, same } from './merge-edits.ts';

export interface MergeState {
  questions: readonly ConflictQuestion[];
  taken: readonly string[];
  onChoose: (field: string, choice: ConflictChoice) => void;
  reminders: number;
  round: number;
}

interface EditMergeOptions<Values extends FieldValues, Payload> {
  form: UseFormReturn<Values, unknown, Payload>;
  labels: Readonly<Record<string, string>>;
  rules: MergeRules<Values> | undefined;
  show: (field: string, value: unknown) => string;
}

interface OpenConflict<Values> extends EditConflict<Values> {
  mine: Values;
  theirs: Values;
  choice: ConflictChoice | null;
}

/**
 * Shows in a form how it was merged with a save of another person (412 'stale', D091). If both changed a field, the
 * user is asked.
 */
export function useEditMerge<Values extends FieldValues, Payload>({
  form,
  labels,
  rules,
  show,
}: EditMergeOptions<Values, Payload>) {
  const [conflicts, setConflicts] = useState<readonly OpenConflict<Values>[]>([]);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const [round, setRound] = useState(0);
  const [reminders, setReminders] = useState(0);
  // A ref, because one save may merge several times before the next render.
  const soFar = useRef<{ taken: readonly string[]; silent: boolean; rounds: number }>({
    taken: [],
    silent: false,
    rounds: 0,
  });

  /** Sets the values of the fields in `only`. Other fields do not become dirty. */
  const fill = (values: Values, only: readonly string[]) => {
    for (const name of only) {
      // The casts are safe: names and values come from this form.
      const [field, value] = [name as Path<Values>, values[name] as PathValue<Values, Path<Values>>];
      form.setValue(field, value, { shouldDirty: true });
    }
  };

  /** Shows a merge in the form, whose new base is the saved record. */
  const showMerge = ({ merged, conflicts: found, taken: fresh, mine, theirs, isOwn }: Merge<Values>) => {
    const asked = new Set<string>(found.map(({ field }) => field));
    const before = soFar.current;
    soFar.current = {
      taken: Object.keys(labels).filter(
        (field) =>
          !asked.has(field) && (before.taken.includes(field) || fresh.some((name) => name === field)),
      ),
      silent: before.silent || (!isOwn && found.length === 0),
      rounds: before.rounds + 1,
    };
    form.reset(theirs, { keepSubmitCount: true });
    fill(
      merged,
      Object.keys(labels).filter((field) => merged[field] !== theirs[field]),
    );
    setConflicts(found.map((conflict) => ({ ...conflict, mine, theirs, choice: null })));
    setTaken(soFar.current.taken);
    setRound(soFar.current.rounds);
    setReminders(0);
  };

  /** One side of a conflict as text. For a switch it includes the dependent fields that are set and differ. */
  const inWords = ({ field, fields, mine, theirs }: OpenConflict<Values>, side: ConflictChoice): string => {
    const values = side === 'mine' ? mine : theirs;
    const other = side === 'mine' ? theirs : mine;
    const comparable = rules?.comparable ?? ((form: Values) => form);
    const [own, others] = [comparable(values), comparable(other)];
    const dependent = fields.filter((name) => {
      if (name === field || own[name] === null || own[name] === undefined || own[name] === '') return false;
      return !same(own[name], others[name]);
    });
    const details = dependent.map((name) => `${labels[name]}: ${show(name, values[name])}`);
    return [show(field, values[field]), ...details].join(' · ');
  };

  const choose = (field: string, choice: ConflictChoice) => {
    const conflict = conflicts.find((candidate) => candidate.field === field);
    if (conflict === undefined) return;
    fill(conflict[choice], conflict.fields);
    // The cast is safe: the names come from this form.
    for (const name of conflict.fields as readonly string[]) form.clearErrors(name as Path<Values>);
    setConflicts(
      conflicts.map((candidate) => (candidate === conflict ? { ...conflict, choice } : candidate)),
    );
  };

  const state: MergeState | null =
    round === 0
      ? null
      : {
          questions: conflicts.map((conflict) => ({
            field: conflict.field,
            label: labels[conflict.field] ?? conflict.field,
            mine: inWords(conflict, 'mine'),
            theirs: inWords(conflict, 'theirs'),
            choice: conflict.choice,
          })),
          taken: taken.map((field) => labels[field] ?? field),
          onChoose: choose,
          reminders,
          round,
        };

  return {
    state,
    show: showMerge,
    /** Typing into a field in conflict answers its question with the typed value. */
    edited: (name: string) => {
      setConflicts((before) =>
        before.map((conflict) =>
          conflict.fields.some((field) => field === name)
            ? { ...conflict, mine: { ...form.getValues() }, choice: 'mine' }
            : conflict,
        ),
      );
    },
    /** After a save: removes the merge from the form. */
    forget: () => {
      setConflicts([]);
      setTaken([]);
      setRound(0);
      soFar.current = { taken: [], silent: false, rounds: 0 };
    },
    /** True if a question is unanswered; it then gets the focus. */
    remind: (): boolean => {
      const open = conflicts.some(({ choice }) => choice === null);
      if (open) setReminders((count) => count + 1);
      return open;
    },
    /** The text about merged changes of the other person for the success message, if there were any. */
    note: (): string | undefined => {
      const { taken: all, silent } = soFar.current;
      if (all.length > 0) return conflictTexts.taken(all.map((field) => labels[field] ?? field));
      return silent ? conflictTexts.kept : undefined;
    },
  };
}
