import { CLIENT_STATUS_LABELS } from '../../../contract/clients/client-words.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { LeftOver, MergeMoves } from '../../../contract/clients/merge.ts';
import { KIND_NOUNS, MACHINE_NOUN } from '../../text/es.ts';
import { countOf, formatDate, type Noun } from '../../text/format.ts';

const NOUNS: Record<keyof MergeMoves, Noun> = {
  licenses: KIND_NOUNS.licenses,
  installations: MACHINE_NOUN,
  payment_requests: { one: 'cobro', many: 'cobros' },
  payments: { one: 'pago', many: 'pagos' },
  mails: { one: 'correo', many: 'correos' },
  notes: { one: 'nota', many: 'notas' },
  tags: { one: 'etiqueta', many: 'etiquetas' },
  contacts: { one: 'contacto', many: 'contactos' },
};

/** '3 licencias, 1 pago y 2 notas'; '' where there are none. */
function counted(counts: Partial<MergeMoves>): string {
  const words = (Object.keys(NOUNS) as (keyof MergeMoves)[]).flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [countOf(count, NOUNS[kind])] : [];
  });
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} y ${words.at(-1)}`;
}

/** Texts of 'Fusionar clientes' (MERGE-01). */
export const mergeTexts = {
  title: 'Fusionar clientes',
  failed: 'Error al fusionar los clientes',
  /** After somebody else changed one of both. */
  changed: (reason: string) =>
    `${reason.replace(/\.$/, '')}. Ya ves sus datos de ahora: revísalos y fusiona otra vez.`,
  submit: 'Fusionar',
  busy: 'Fusionando...',
  which: '¿Qué ficha se queda?',
  stays: 'Se queda',
  ends: 'Termina',
  facts: ({ status, license_count, created_at }: ClientDetails) =>
    `${CLIENT_STATUS_LABELS[status]} · ${countOf(license_count, KIND_NOUNS.licenses)} · desde el ${formatDate(created_at)}`,
  moves: (name: string) => `Lo que pasa a ${name}`,
  nothing: 'Solo su historial: no tiene nada más.',
  counted,
  history: 'El historial de los dos se ve junto, cada cambio con el nombre de entonces.',
  taken: 'Lo que toma de la otra ficha',
  lost: 'Lo que se pierde de la ficha que termina',
  nothingLost: 'Nada: no dice otra cosa que la que se queda.',
  portal: (email: string) => `Sus sesiones del portal terminan: después se entra con ${email}.`,
  left: ({ tags, contacts }: LeftOver) => `No caben: ${counted({ tags, contacts })}.`,
  final: 'No se puede deshacer.',
  merged: 'Clientes fusionados',
  mergedInto: (name: string) => `Todo quedó en ${name}.`,
  /** Of an address that leads to a client that ended so. */
  followed: 'Ese cliente se fusionó con este',
} as const;

/** The hint in the details of a client. */
export const sameClientTexts = {
  title: 'Quizá es el mismo cliente',
  merge: (name: string) => `Fusionar con ${name}`,
} as const;
