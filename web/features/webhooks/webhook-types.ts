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
 * The event types of a webhook as the form's value: words separated by commas, '*' for all, 'license.*' for all events
 * of a kind (HOOK-01).
 */

export const ALL = '*';
export const wildcardOf = (kind: SubjectKind) => `${kind}.*`;

export const readTypes = (text: string): string[] => text.split(',').filter((word) => word !== '');

type May = (permission: Permission) => boolean;

/** The kinds of records whose events the person may subscribe to. The server refuses others. */
export const kindsFor = (may: May): SubjectKind[] =>
  choicesOf(SUBJECT_KIND_LABELS).filter((kind) => may(WEBHOOK_RIGHTS[kind]));

/** The event types of a webhook for which the person lacks the permission: another person chose them. */
export const refusedTypes = (types: readonly string[], may: May): string[] =>
  types.filter((word) => missingRights([word], { has: may }).length > 0);

/** In the order of the contract, without duplicates. */
export const writeTypes = (types: readonly string[]): string =>
  WEBHOOK_TYPES.filter((word) => types.includes(word)).join(',');

/** All event types of a kind. */
export const typesOfKind = (kind: SubjectKind): readonly EventType[] =>
  EVENT_TYPES.filter((type) => subjectKindOf(type) === kind);

const isOfKind = (word: string, kind: SubjectKind) => word.startsWith(`${kind}.`);

/** Selects all events of a kind, including types added later, or none of it. */
export const tickKind = (types: readonly string[], kind: SubjectKind, isOn: boolean): string[] => [
  ...types.filter((word) => !isOfKind(word, kind)),
  ...(isOn ? [wildcardOf(kind)] : []),
];

/**
 * Selects or removes one type. If one type is removed from a whole kind, the other types of the kind stay selected.
 */
export function tickType(types: readonly string[], type: EventType, isOn: boolean): string[] {
  const kind = subjectKindOf(type);
  const chosen = types.includes(wildcardOf(kind)) ? typesOfKind(kind) : types;
  const others = types.filter((word) => !isOfKind(word, kind));
  const ofKind = chosen.filter((word) => isOfKind(word, kind) && word !== type);
  return [...others, ...ofKind, ...(isOn ? [type] : [])];
}

/** How many events the list shows; further ones are only counted. */
const SHOWN_WORDS = 3;

/** The events of a webhook as text: 'Licencias: todos', 'Cliente creado', '4 más'. */
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
