import { UNSPECIFIED } from '../../../contract/base/limits.ts';

/** A text of a client; 'Sin especificar' is shown in a muted colour. */
export function MaybeUnspecified({ children: text }: { children: string }) {
  return text === UNSPECIFIED ? <span className="text-muted">{text}</span> : text;
}
