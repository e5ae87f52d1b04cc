import { UNSPECIFIED } from '../../../contract/base/limits.ts';

/** A text of a client; 'Sin especificar' is muted wherever it stands. */
export function MaybeUnspecified({ children: text }: { children: string }) {
  return text === UNSPECIFIED ? <span className="text-muted">{text}</span> : text;
}
