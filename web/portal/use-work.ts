import { useState } from 'react';
import { asCallError, type CallError } from './call.ts';

/** One button's work: what is under way, and what went wrong with it. */
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
