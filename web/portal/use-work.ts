import { useState } from 'react';
import { asCallError, type CallError } from './call.ts';

/** The state of a button's action: whether it is running, and its error. */
export function useWork() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(asCallError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, run };
}
