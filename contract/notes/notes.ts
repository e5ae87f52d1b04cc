import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { recordId, writtenId } from '../base/numbers.ts';
import { listQuery, pageOf } from '../base/page.ts';
import { optionalDay, requiredParagraph } from '../base/text.ts';
import { NOTE_MAX, NOTE_MESSAGES } from './note-words.ts';

/**
 * Notes of staff about a client or a licence (DESK-02). Those of a licence are also shown at its client. No event
 * contains the text, and webhooks carry no note.
 */

const fields = {
  text: requiredParagraph(NOTE_MAX, NOTE_MESSAGES.textRequired),
  pinned: z.boolean(NOTE_MESSAGES.pinned),
  /** The local day on which the note is due; null for none. */
  remind_on: optionalDay,
};

/** A new note: exactly one of `client` and `license`. */
export const noteCreate = z
  .object({
    text: fields.text,
    client: recordId.nullish(),
    license: recordId.nullish(),
    pinned: fields.pinned.prefault(false),
    remind_on: fields.remind_on.prefault(null),
  })
  .refine((body) => (body?.client == null) !== (body?.license == null), {
    ...coded('required', NOTE_MESSAGES.exactlyOne),
    path: ['client'],
    // Also where other fields are wrong, so that all errors are answered at once.
    when: () => true,
  })
  .meta({ examples: [{ text: 'Llamar por la renovación', client: 1, pinned: true }] });
export type NoteCreate = z.output<typeof noteCreate>;

/** A change keeps the fields that it does not send. A note stays with its client or licence. */
export const noteUpdate = z.object({ ...fields, updated_at: z.string().max(40) }).partial();
export type NoteUpdate = z.output<typeof noteUpdate>;

export const note = z
  .object({
    id: z.number().int(),
    text: z.string(),
    pinned: z.boolean(),
    remind_on: z.string().meta({ format: 'date' }).nullable(),
    client: z.object({ id: z.number().int(), name: z.string() }),
    license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
    /** Who wrote it. */
    actor: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }),
    created_at: z.string(),
    updated_at: z.string(),
    /** Whether the caller may change and delete it: one's own, others' with `users:manage`. */
    can_change: z.boolean(),
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof note>;

/** Pinned notes first, then the newest. */
export const notePage = pageOf(note).meta({ id: 'NotePage' });

const reference = writtenId.optional();

/** With `client` also the notes of its licences; with `license` only those of that licence. One of them is needed. */
export const noteListQuery = z
  .object({
    ...listQuery.pick({ page: true, page_size: true, after: true }).shape,
    client: reference,
    license: reference,
  })
  .refine(({ client, license }) => client !== undefined || license !== undefined, {
    ...coded('required', NOTE_MESSAGES.whose),
    path: ['client'],
  });
