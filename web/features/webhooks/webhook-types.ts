import type { Permission } from '../../../contract/people/permissions.ts';
import {
  EVENT_TYPES,
  type EventType,
  type SubjectKind,
  subjectKindOf,
} from '../../../contract/system/events.ts';
import {
  missingRights,
  WEBHOOK_RIGHTS,
  WEBHOOK_TYPES,
  type Webhook,
} from '../../../contract/system/webhooks.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { EVENT_TYPE_LABELS, SUBJECT_KIND_LABELS } from '../../text/es-audit.ts';
import { eventChoiceTexts as texts, type WebhookState } from '../../text/es-webhooks.ts';

/**
 * The types of events that a webhook hears of, as the form holds them: words with commas between them, '*' for all,
 * 'license.*' for all of a kind (HOOK-01).
 */

export const ALL = '*';
export const wildcardOf = (kind: SubjectKind) => `${kind}.*`;

export const readTypes = (text: string): string[] => text.split(',').filter((word) => word !== '');

type May = (permission: Permission) => boolean;

/** The kinds whose events the person may hear of: the server refuses the others. */
export const kindsFor = (may: May): SubjectKind[] =>
  choicesOf(SUBJECT_KIND_LABELS).filter((kind) => may(WEBHOOK_RIGHTS[kind]));

/** The words of a webhook that the person may not keep: somebody else chose them. */
export const refusedTypes = (types: readonly string[], may: May): string[] =>
  types.filter((word) => missingRights([word], { has: may }).length > 0);

/** In the order of the contract, each once. */
export const writeTypes = (types: readonly string[]): string =>
  WEBHOOK_TYPES.filter((word) => types.includes(word)).join(',');

/** Every type of event of a kind. */
export const typesOfKind = (kind: SubjectKind): readonly EventType[] =>
  EVENT_TYPES.filter((type) => subjectKindOf(type) === kind);

const isOfKind = (word: string, kind: SubjectKind) => word.startsWith(`${kind}.`);

/** Ticks all of a kind, also types that come later, or none of it. */
export const tickKind = (types: readonly string[], kind: SubjectKind, isOn: boolean): string[] => [
  ...types.filter((word) => !isOfKind(word, kind)),
  ...(isOn ? [wildcardOf(kind)] : []),
];

/** Ticks one type. One that is taken out of a whole kind leaves the others of the kind. */
export function tickType(types: readonly string[], type: EventType, isOn: boolean): string[] {
  const kind = subjectKindOf(type);
  const chosen = types.includes(wildcardOf(kind)) ? typesOfKind(kind) : types;
  const others = types.filter((word) => !isOfKind(word, kind));
  const ofKind = chosen.filter((word) => isOfKind(word, kind) && word !== type);
  return [...others, ...ofKind, ...(isOn ? [type] : [])];
}

/** How many words the list shows before it only counts them. */
const SHOWN_WORDS = 3;

/** What a webhook hears of, for a person: 'Licencias: todos', 'Cliente creado', '4 más'. */
export function typesInWords(types: readonly string[], most = SHOWN_WORDS): string[] {
  if (types.includes(ALL)) return [texts.all];
  const words = types.map(wordOf);
  return words.length <= most + 1 ? words : [...words.slice(0, most), texts.more(words.length - most)];
}

function wordOf(word: string): string {
  const kind = subjectKindOf(word as EventType);
  if (word === wildcardOf(kind)) return texts.allOf(SUBJECT_KIND_LABELS[kind]);
  return EVENT_TYPE_LABELS[word as EventType] ?? word;
}

export function stateOf({ is_active, disabled_reason, failing_since }: Webhook): WebhookState {
  if (disabled_reason !== null) return 'disabled';
  if (!is_active) return 'inactive';
  return failing_since === null ? 'active' : 'failing';
}
