import type { FastifyRequest } from 'fastify';
import { idParams } from '../../../contract/base/page.ts';
import {
  NOTE_MESSAGES,
  NOTE_RESULTS,
  NOTES_PATH,
  noteRight,
  writesNotes,
} from '../../../contract/notes/note-words.ts';
import {
  type Note,
  note,
  noteCreate,
  noteListQuery,
  notePage,
  noteUpdate,
} from '../../../contract/notes/notes.ts';
import { forbidden, notFound } from '../../errors.ts';
import { withToken } from '../../http/access.ts';
import { createOnce, SAVING, saveOnce } from '../../http/idempotency.ts';
import { listUrl } from '../../http/list-url.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { addDeleteRoute } from '../../records/record-routes.ts';
import { shownActorTo } from '../../rules/actor-names.ts';
import type { Scope } from '../../scope.ts';
import { noteRecord } from './note.record.ts';
import { noteList } from './note-list.ts';
import { findNotes, type PlainNote } from './notes.queries.ts';
import { changeNote, createNote } from './save-note.ts';

const ONE = `${NOTES_PATH}:id(^\\d+$)/`;

/** @throws forbidden (403) for a caller who may not read the notes of licences, or of clients */
function authorizeReader(request: FastifyRequest, ofLicense: boolean): void {
  if (!principalOf(request).permissions.has(noteRight(ofLicense))) throw forbidden();
}

/** @throws forbidden (403) for viewers, and for keys without `clients:write` */
function authorizeWriter(request: FastifyRequest, ofLicense: boolean): void {
  authorizeReader(request, ofLicense);
  if (!isWriter(request)) throw forbidden();
}

function isWriter(request: FastifyRequest): boolean {
  const { session, permissions } = principalOf(request);
  return writesNotes({ role: session?.role ?? null, permissions });
}

/** One's own notes, and those of others with `users:manage`. */
function mayChange(request: FastifyRequest, { license, actor }: PlainNote): boolean {
  const { kind, id, permissions } = principalOf(request);
  if (!permissions.has(noteRight(license !== null)) || !isWriter(request)) return false;
  return (actor.kind === kind && actor.id === id) || permissions.has('users:manage');
}

/**
 * Before the version is compared, because the answer to an old one has the text.
 * @throws forbidden (403), notFound (404)
 */
async function authorizeChange(
  { tx }: Pick<Scope, 'tx'>,
  request: FastifyRequest,
  id: number,
): Promise<void> {
  const [found] = await findNotes(tx, [id]);
  if (!found) throw notFound(NOTE_MESSAGES.notFound);
  authorizeWriter(request, found.license !== null);
  if (!mayChange(request, found)) throw forbidden(NOTE_MESSAGES.notYours);
}

/** A note as the caller sees it. */
function shownTo(request: FastifyRequest) {
  const shownActor = shownActorTo(principalOf(request));
  return (found: PlainNote): Note => ({
    ...found,
    actor: shownActor(found.actor),
    can_change: mayChange(request, found),
  });
}

export const noteRoutes = routesOf('Notas', (app, context) => {
  const { db, now, config } = context;
  const moment = () => ({ now: now(), timeZone: config.timeZone });

  app.get(
    NOTES_PATH,
    {
      config: withToken(),
      schema: {
        summary: 'Listar las notas de un cliente o de una licencia',
        description:
          'Primero las fijadas, luego las más recientes. Con client también las de sus licencias, para quien puede leer licencias.',
        querystring: noteListQuery,
        response: { 200: notePage },
      },
    },
    async (request) => {
      const { query } = request;
      const mayReadLicenses = principalOf(request).permissions.has('licenses:read');
      authorizeReader(request, query.client === undefined);
      const asked = { ...query, ...(!mayReadLicenses && { own: true as const }) };
      const found = await noteList.page(db, asked, moment(), listUrl(context, request));
      return { ...found, results: found.results.map(shownTo(request)) };
    },
  );

  app.post(
    NOTES_PATH,
    {
      config: withToken({ writes: ['note.created'], once: true }),
      schema: { summary: 'Escribir una nota', body: noteCreate, response: { 201: note } },
    },
    (request, reply) => {
      authorizeWriter(request, request.body.license != null);
      return createOnce(context, request, reply, async (scope) =>
        shownTo(request)(await createNote(scope, request.body)),
      );
    },
  );

  app.get(
    ONE,
    {
      config: withToken(),
      schema: { summary: 'Ver una nota', params: idParams, response: { 200: note } },
    },
    async (request, reply) => {
      const [found] = await findNotes(db, [request.params.id]);
      if (!found) throw notFound(NOTE_MESSAGES.notFound);
      authorizeReader(request, found.license !== null);
      return withEtag(reply, shownTo(request)(await noteRecord.complete({ tx: db, ...moment() }, found)));
    },
  );

  app.route({
    method: SAVING,
    url: ONE,
    config: withToken({ writes: ['note.updated'], once: true }),
    schema: { summary: 'Cambiar una nota', params: idParams, body: noteUpdate, response: { 200: note } },
    handler: (request, reply) =>
      saveOnce(context, request, reply, async (scope) => {
        const { id } = request.params;
        await authorizeChange(scope, request, id);
        return shownTo(request)(await changeNote(scope, id, request.body));
      }),
  });

  addDeleteRoute(app, context, noteRecord, {
    url: ONE,
    config: withToken({ writes: ['note.deleted'] }),
    summary: 'Eliminar una nota',
    message: NOTE_RESULTS.deleted,
    check: (scope, id, request) => authorizeChange(scope, request, id),
  });
});
