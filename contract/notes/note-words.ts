import type { Permission, Role } from '../people/permissions.ts';

/** What both sides say and decide of notes (DESK-02). Without schemas, so that the console need not load zod for it. */

export const NOTES_PATH = '/licenses/api/notes/';

/** The most characters of a note. */
export const NOTE_MAX = 2000;
/** For how many days a note stays due: no longer than what was done with it is remembered (DESK-01). */
export const NOTE_DUE_DAYS = 90;
/** What the event of a note calls it: never by its text. */
export const NOTE_NAME = 'Nota';

export const NOTE_MESSAGES = {
  textRequired: 'Escribe la nota',
  pinned: 'Indica true o false en pinned',
  exactlyOne: 'Indica client o license: uno de los dos',
  whose: 'Indica de qué client o license',
  dayPassed: 'El día ya pasó: elige hoy o un día que viene',
  unknownClient: 'El cliente no existe',
  unknownLicense: 'La licencia no existe',
  notYours: 'La nota es de otra persona',
  notFound: 'Nota no encontrada',
} as const;

export const NOTE_RESULTS = { deleted: 'Nota eliminada exitosamente' } as const;

/** The most characters of a note in a line of a list. */
const EXCERPT_MAX = 120;

/** A note in one line, cut after a word where that is possible. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  if (letters.length <= EXCERPT_MAX) return line;
  const cut = letters.slice(0, EXCERPT_MAX).join('');
  const word = cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT_MAX / 2)).trimEnd();
  return `${word}…`;
}

/** A caller, as far as notes ask: the role of a person, null for an API key. */
type NoteCaller = { role: Role | null; permissions: { has: (name: Permission) => boolean } };

/** The permission that reads a note: that of its licence, else of its client. */
export const noteRight = (ofLicense: boolean): Permission => (ofLicense ? 'licenses:read' : 'clients:read');

/**
 * Whether a caller writes notes where it may read them: every person but a viewer, and a key with `clients:write`. No
 * permission says 'everybody but viewers', so it goes by the role (decision 140).
 */
export const writesNotes = ({ role, permissions }: NoteCaller): boolean =>
  role === null ? permissions.has('clients:write') : role !== 'viewer';
