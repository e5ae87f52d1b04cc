import { portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import type { CallError } from './call.ts';

/** The text why an action on a licence was refused. */
export const refusalOf = ({ code, message }: CallError) =>
  code === 'rate_limited' ? texts.tooMany : message;
