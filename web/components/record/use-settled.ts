import { useEffect, useState } from 'react';

/** The pause after which typing counts as ended. */
const PAUSE_MS = 500;

/** True while a text has not changed for half a second; at once for the text that a form opens with. */
export function useSettled(text: string): boolean {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text;
}
