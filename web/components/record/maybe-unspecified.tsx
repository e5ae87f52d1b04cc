import { UNSPECIFIED } from '../../../contract/base/limits.ts';
import { NOT_GIVEN } from '../../text/es-record.ts';

/** A text of a client. One that nobody gave is stored as 'Sin especificar', which only forms show (DESK-05). */
export function MaybeUnspecified({ children: text }: { children: string }) {
  return text === UNSPECIFIED ? <span className="text-muted">{NOT_GIVEN}</span> : text;
}
