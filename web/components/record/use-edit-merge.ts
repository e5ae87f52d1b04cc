import { useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { conflictTexts } from '../../text/es.ts';
import type { ConflictChoice, ConflictQuestion } from './conflict-notice.tsx';
import { type EditConflict, type MergeRules, mergeEdits } from './merge-edits.ts';

/** What the dialog shows of a merge. */
export interface MergeState {
  questions: readonly ConflictQuestion[];
  taken: readonly string[];
  onChoose: (field: string, choice: ConflictChoice) => void;
  reminders: number;
  /** Which merge of this form it is. */
  round: number;
}

interface EditMergeOptions<Values extends FieldValues, Payload> {
  form: UseFormReturn<Values, unknown, Payload>;
  labels: Readonly<Record<string, string>>;
  rules: MergeRules<Values> | undefined;
  /** A value in words. */
  show: (field: string, value: unknown) => string;
}

/** A conflict with both sides of it, and the answer. */
interface OpenConflict<Values> extends EditConflict<Values> {
  mine: Values;
  theirs: Values;
  choice: ConflictChoice | null;
}

/**
 * The other person's save in a form (412 'stale', D091): their values where only they changed something, mine where I
 * did, and a question where both did.
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
  // Beside the state, for one save that merges several times before anything is drawn anew.
  const soFar = useRef<{ taken: readonly string[]; silent: boolean; rounds: number }>({
    taken: [],
    silent: false,
    rounds: 0,
  });

  /** Puts the values of some fields into the form. `only` those, so that nothing else becomes a change. */
  const fill = (values: Values, only: readonly string[]) => {
    for (const name of only) {
      // Names of this form's own fields, with values that were taken out of it.
      const [field, value] = [name as Path<Values>, values[name] as PathValue<Values, Path<Values>>];
      form.setValue(field, value, { shouldDirty: true });
    }
  };

  /**
   * Merges what is typed into the record as it was saved meanwhile, and shows the merge in the form.
   * @param base the form as it was opened
   * @param theirs the form of the saved record: what the form stands on from now on
   * @param inDoubt what this form sent itself without getting an answer; saved, it is nobody else's change
   * @returns the merge, and whether a person has to decide about it
   */
  const merge = (base: Values, theirs: Values, inDoubt: Values | null): { merged: Values; asks: boolean } => {
    // A copy: the form's own values change with the next lines.
    const mine = { ...form.getValues() };
    const isOwn = inDoubt !== null && mergeEdits(inDoubt, inDoubt, theirs, rules).taken.length === 0;
    const opened = isOwn ? inDoubt : base;
    const { merged, conflicts: found, taken: fresh } = mergeEdits(opened, mine, theirs, rules);
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
    return { merged, asks: found.length > 0 };
  };

  /** A side of a conflict in words: a switch with what depends on it, as far as that says something of its own. */
  const inWords = ({ field, fields, mine, theirs }: OpenConflict<Values>, side: ConflictChoice): string => {
    const values = side === 'mine' ? mine : theirs;
    const other = side === 'mine' ? theirs : mine;
    const comparable = rules?.comparable ?? ((form: Values) => form);
    const [own, others] = [comparable(values), comparable(other)];
    const dependent = fields.filter((name) => {
      if (name === field || own[name] === null || own[name] === undefined || own[name] === '') return false;
      return own[name] !== others[name];
    });
    const details = dependent.map((name) => `${labels[name]}: ${show(name, values[name])}`);
    return [show(field, values[field]), ...details].join(' · ');
  };

  const choose = (field: string, choice: ConflictChoice) => {
    const conflict = conflicts.find((candidate) => candidate.field === field);
    if (conflict === undefined) return;
    fill(conflict[choice], conflict.fields);
    // As above: names of this form's own fields.
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
    merge,
    /** Typing into a field that is asked about is an answer: what is typed. */
    edited: (name: string) => {
      setConflicts((before) =>
        before.map((conflict) =>
          conflict.fields.some((field) => field === name)
            ? { ...conflict, mine: { ...form.getValues() }, choice: 'mine' }
            : conflict,
        ),
      );
    },
    /** Whether a question is still open; the person is then brought to it. */
    remind: (): boolean => {
      const open = conflicts.some(({ choice }) => choice === null);
      if (open) setReminders((count) => count + 1);
      return open;
    },
    /** What a success says of the other person's changes, if there is anything to say. */
    note: (): string | undefined => {
      const { taken: all, silent } = soFar.current;
      if (all.length > 0) return conflictTexts.taken(all.map((field) => labels[field] ?? field));
      return silent ? conflictTexts.kept : undefined;
    },
  };
}
