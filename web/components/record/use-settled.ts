import { useEffect, useState } from 'react';

/** Typing counts as ended after this pause. */
const PAUSE_MS = 500;

/** True if a text has not changed for half a second. For the text with which a form opens it is true at once. */
export function useSettled(text: string): boolean {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text;
}
