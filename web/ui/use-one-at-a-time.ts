import { useRef, useState } from 'react';

/**
 * Runs the function of a button once at a time: a second press during the run does nothing. Two presses can arrive
 * before the button is rendered as busy, so a ref is checked, not the rendered state.
 *
 *     const [send, sending] = useOneAtATime(async () => { … });
 *     <Button busy={sending} onClick={send}>
 *
 * @param work must handle its own failures
 * @returns the guarded function, and whether it is running
 */
export function useOneAtATime<Given extends unknown[]>(
  work: (...given: Given) => Promise<void>,
): readonly [run: (...given: Given) => Promise<void>, underWay: boolean] {
  const busy = useRef(false);
  const [underWay, setUnderWay] = useState(false);
  const run = async (...given: Given) => {
    if (busy.current) return;
    busy.current = true;
    setUnderWay(true);
    try {
      await work(...given);
    } finally {
      busy.current = false;
      setUnderWay(false);
    }
  };
  return [run, underWay];
}
