import { useEffect, useRef } from 'react';

/** The pause after the last key press before a change is applied, as in a search box (D058). */
const PAUSE_MS = 300;

/** Whether a change of the address replaces the current entry of the history. */
export type Step = { replace: boolean };

/**
 * Applies the fields of a dialog when they change, after a short pause in typing. All changes while the dialog is open
 * are one entry in the history: the first change adds it, later ones replace it.
 *
 * @param values a new object after each change
 * @param apply called with the latest values; it must ignore invalid values
 * @returns `now` applies pending changes at once, for a dialog that closes; `forget` discards them, when all filters
 * are cleared; `step` is for changes other than those of the fields
 */
export function useApplied<Values>(values: Values, apply: (values: Values, step: () => Step) => void) {
  const begun = useRef(false);
  const applied = useRef(values);
  const latest = useRef({ values, apply });
  latest.current = { values, apply };
  const step = (): Step => {
    const replace = begun.current;
    begun.current = true;
    return { replace };
  };
  const now = () => {
    const { values: requested, apply: run } = latest.current;
    if (requested === applied.current) return;
    applied.current = requested;
    run(requested, step);
  };
  const run = useRef(now);
  run.current = now;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew
  useEffect(() => {
    const timer = setTimeout(() => run.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [values]);
  const forget = () => {
    applied.current = latest.current.values;
  };
  return { now, forget, step };
}
