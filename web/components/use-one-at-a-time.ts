import { useRef, useState } from 'react';

/**
 * Work that a press begins, one at a time: a second press while it is under way does nothing. Two presses can come before
 * the button has been drawn as busy, so what counts is not what is drawn.
 *
 *     const [send, sending] = useOneAtATime(async () => { … });
 *     <Button busy={sending} onClick={send}>
 *
 * @param work must deal with its own failures
 * @returns the guarded work, and whether it is under way, to be drawn
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
