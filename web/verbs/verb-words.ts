import type { LucideIcon } from 'lucide-react';
import type { LicenseRow } from '../../contract/licenses/licenses.ts';
import type { Event } from '../../contract/system/events.ts';
import type { BulkActionTexts } from '../text/es-bulk.ts';
import { counted, ending } from '../text/es-lists.ts';
import { formatNumber } from '../text/format.ts';

/** How the console shows a verb on a licence: icon, words, and its event. */
export interface VerbWords {
  icon: LucideIcon;
  /** Shown in red in the menu. */
  isDanger?: boolean;
  /** The label in the menu 'Más acciones'. */
  label: string;
  /** The title of the dialog; it begins with the verb. */
  title: string;
  /** Explains the effect before the action is done. */
  effect: string;
  submit: string;
  busy: string;
  done: string;
  failed: string;
  /** Texts about the people affected, for a verb that stops a licence or its key. */
  whom?: WhomTexts;
  /** For a verb that is also a bulk action: the texts for many licences. */
  many?: BulkActionTexts;
  /** Its event as a sentence, and as a choice of a filter. */
  sentence: (who: string, event: Event) => string;
  eventLabel: string;
}

type Hit = Pick<LicenseRow, 'client_name' | 'software_name' | 'software_version' | 'current_installations'>;

interface WhomTexts {
  tone: 'warning' | 'critical';
  title: string;
  /** Names the client, the product and the machines. */
  text: (license: Hit) => string;
}

/** The product of a licence, with its version. */
export const product = ({ software_name, software_version }: Hit) => `${software_name} ${software_version}`;

/** How many machines currently use one licence, or several. */
export function usersNow(machines: number, licenses: number): string {
  const them = licenses === 1 ? 'la' : 'las';
  if (machines === 0) return `Ningún equipo ${them} usa todavía.`;
  return machines === 1 ? `Hoy ${them} usa 1 equipo.` : `Hoy ${them} usan ${formatNumber(machines)} equipos.`;
}

/** How many machines use a licence. */
export const users = ({ current_installations: machines }: Hit) => usersNow(machines, 1);

/**
 * The texts of a bulk action.
 * @param verb the infinitive with which label, title and button begin
 * @param done the stem of the participle, `renovad` of 'renovadas'
 */
export const manyTexts = (
  verb: string,
  done: string,
  { question, ...own }: { question: string; busy: string; label?: string; confirm?: string },
): BulkActionTexts => ({
  label: verb,
  title: (what) => `${verb} ${what}`,
  question: () => question,
  confirm: verb,
  done: (count, noun) => `${counted(count, noun)} ${done}${ending(count, noun)}`,
  ...own,
});
