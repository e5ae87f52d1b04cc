import { useEffect, useRef } from 'react';

/** A pause in typing, as in a search box (D058). */
const PAUSE_MS = 300;

/** How an address is changed. */
export type Step = { replace: boolean };

/**
 * Applies the fields of a dialog as they are chosen, a little after the last key. What one opening of the dialog changes
 * is one step of the history: the first change adds it, the next ones replace it.
 *
 * @param values a new object with each change
 * @param apply called with the latest values; it does nothing for values that are wrong
 * @returns `now` applies at once what still waits, for a dialog that closes; `forget` drops it, where all filters are
 *   cleared; `step` is for a change beside the fields
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
    const { values: wanted, apply: run } = latest.current;
    if (wanted === applied.current) return;
    applied.current = wanted;
    run(wanted, step);
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
