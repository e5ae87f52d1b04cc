import type { FastifyError, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { writtenNumber } from '../../../contract/base/numbers.ts';
import { idParams } from '../../../contract/base/page.ts';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import {
  IMPORT_BYTES_MAX,
  IMPORT_MESSAGES,
  IMPORT_ROWS_AT_ONCE,
  IMPORT_TYPES,
  IMPORT_UNDO_HOURS,
  importCheck,
  importForecast,
  importProgress,
  importQuery,
  importRow,
  importRun,
  importUpload,
} from '../../../contract/imports/imports.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import type { ImportRow } from '../../db/tables.ts';
import { AppError, forbidden, notFound } from '../../errors.ts';
import { can, maySee, NOTHING } from '../../http/access.ts';
import { handleError } from '../../http/error-handler.ts';
import { inRequest, originOf, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { cellText } from '../../lib/workbook/cell-value.ts';
import type { Principal } from '../../principal.ts';
import { sendErrors } from './export-errors.ts';
import { optionsOf } from './import-options.ts';
import { findImport, findRow, readForecast, toProgress } from './imports.queries.ts';
import { cancelImport, startCheck, startRun } from './start-import.ts';
import { lookBeforeUndo, startUndo } from './start-undo.ts';
import { uploadImport } from './upload-import.ts';
import { giveUp, workThrough } from './work-through.ts';

const BASE = '/licenses/api/imports/';
const ONE = `${BASE}:id(^\\d+$)/`;

/** Enough for 20 MB over a slow connection. An upload that stops sending ends earlier (http/body-time.ts). */
export const UPLOAD_MS = 10 * 60_000;

const RUN_WRITES: readonly EventType[] = [
  'client.created',
  'client.updated',
  'software.created',
  'software.updated',
  'license.issued',
  'license.updated',
  'import.finished',
];

const UNDO_WRITES: readonly EventType[] = [
  'client.deleted',
  'client.updated',
  'software.deleted',
  'software.updated',
  'license.deleted',
  'license.updated',
  'import.finished',
];

const CONFLICT = { 409: 'La importación no está en un estado que lo admita (conflict)' };

const rowParams = idParams.extend({ row: writtenNumber(z.int()) });

/** @throws forbidden (403) if the caller may not write this kind of record */
function requireWrite({ permissions }: Principal, kind: ImportKind): void {
  if (!permissions.has(`${kind}:write`)) throw forbidden();
}

/**
 * The import of a request.
 * @throws notFound (404) if the caller may not see it, forbidden (403)
 */
async function importOf(
  { db }: AppContext,
  request: FastifyRequest<{ Params: { id: number } }>,
  { toWrite }: { toWrite: boolean },
): Promise<ImportRow> {
  const principal = principalOf(request);
  const row = await findImport(db, request.params.id);
  if (!row || !maySee(principal, row)) throw notFound(IMPORT_MESSAGES.notFound);
  if (toWrite) requireWrite(principal, row.kind);
  return row;
}

/**
 * The id of an import that is to be checked or run. Whoever lets licences make clients must be able to write these too
 * (INPUT-20).
 * @throws notFound (404) if the caller may not see it, forbidden (403)
 */
async function importToRun(
  context: AppContext,
  request: FastifyRequest<{ Params: { id: number }; Body: { create_clients?: boolean | undefined } }>,
): Promise<number> {
  const row = await importOf(context, request, { toWrite: true });
  const makesClients = request.body.create_clients ?? optionsOf(row).create_clients;
  if (makesClients && row.kind === 'licenses') requireWrite(principalOf(request), 'clients');
  return row.id;
}

/** Imports of clients, software and licences from a spreadsheet (IMPORT-01). */
export const importRoutes = routesOf('Importaciones', async (app, context) => {
  const { db } = context;
  const progressOf = async (id: number) => toProgress(db, (await findImport(db, id))!);

  app.get(
    ONE,
    {
      config: can('imports:run'),
      schema: {
        summary: 'Ver el avance de una importación',
        description: 'La ve quien la subió, y quien puede leer la auditoría. Se conserva una semana.',
        params: idParams,
        response: { 200: importProgress },
      },
    },
    async (request) => toProgress(db, await importOf(context, request, { toWrite: false })),
  );

  app.post(
    `${ONE}check/`,
    {
      config: can('imports:run', { writes: NOTHING, errors: CONFLICT }),
      schema: {
        summary: 'Revisar una importación sin guardar nada',
        description: `Hace lo mismo que la importación y lo deshace. Con más de ${IMPORT_ROWS_AT_ONCE} filas responde 202, y el
resultado está en \`check\` de \`GET imports/{id}/\`. Una celda vacía no cambia nada, \`-\` borra el valor, \`'-\` es el texto.`,
        params: idParams,
        body: importCheck,
        response: { 200: importForecast, 202: importProgress },
      },
    },
    async (request, reply) => {
      const id = await importToRun(context, request);
      const find_duplicates = principalOf(request).permissions.has('clients:read');
      const { byJob } = await inRequest(context, request, (scope) =>
        startCheck(scope, id, { ...request.body, find_duplicates }),
      );
      if (byJob) return reply.code(202).send(await progressOf(id));
      try {
        await workThrough(context, id, { log: request.log });
      } catch (error) {
        await giveUp(context, id);
        throw error;
      }
      // The check has just stored it.
      return readForecast((await findImport(db, id))!.forecast!);
    },
  );

  app.post(
    `${ONE}run/`,
    {
      config: can('imports:run', { writes: RUN_WRITES, errors: CONFLICT }),
      schema: {
        summary: 'Importar lo que se revisó',
        description:
          'Un trabajo lo hace; las filas con errores se omiten. Repetir la llamada no importa nada otra vez. Nadie recibe correo, salvo con `notify`.',
        params: idParams,
        body: importRun,
        response: { 202: importProgress },
      },
    },
    async (request, reply) => {
      const id = await importToRun(context, request);
      await inRequest(context, request, (scope) => startRun(scope, id, request.body));
      return reply.code(202).send(await progressOf(id));
    },
  );

  app.post(
    `${ONE}cancel/`,
    {
      config: can('imports:run', { writes: ['import.finished'], errors: CONFLICT }),
      schema: {
        summary: 'Detener una importación',
        description: 'Lo que ya se importó se conserva. Una revisión detenida puede empezar de nuevo.',
        params: idParams,
        response: { 200: importProgress },
      },
    },
    async (request) => {
      const { id } = await importOf(context, request, { toWrite: true });
      await inRequest(context, request, (scope) => cancelImport(scope, id));
      return progressOf(id);
    },
  );

  app.post(
    `${ONE}undo/`,
    {
      config: can('imports:run', {
        writes: UNDO_WRITES,
        errors: {
          409: 'Algo cambió o ya se usa: sus filas están en rows (not_undoable), o no ha terminado (conflict)',
        },
      }),
      schema: {
        summary: 'Deshacer una importación',
        description: `Durante ${IMPORT_UNDO_HOURS} horas: borra lo que creó y devuelve sus valores a lo que actualizó. Un trabajo lo hace; lo que cambie
mientras tanto se queda y está en \`result.errors\`. Repetir la llamada no cambia nada.`,
        params: idParams,
        response: { 202: importProgress },
      },
    },
    async (request, reply) => {
      const row = await importOf(context, request, { toWrite: false });
      await lookBeforeUndo(context, row, principalOf(request).permissions);
      await inRequest(context, request, (scope) => startUndo(scope, row.id));
      return reply.code(202).send(await progressOf(row.id));
    },
  );

  await app.register(fileRoutes(context));
  await app.register(importUploads(context));
});

/** The rows of the file: one of them, and all that have errors. */
const fileRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = context;
    app.get(
      `${ONE}rows/:row(^\\d{1,7}$)/`,
      {
        config: can('imports:run'),
        schema: {
          summary: 'Ver una fila del archivo',
          description:
            'Sus celdas como se leen, con lo que se corrigió; se corrigen con `cells` de `check/`.',
          params: rowParams,
          response: { 200: importRow },
        },
      },
      async (request) => {
        const row = await importOf(context, request, { toWrite: false });
        const found = await findRow(db, row, request.params.row);
        if (!found) throw notFound(IMPORT_MESSAGES.noRow);
        const [number, ...cells] = found;
        const columns = JSON.parse(row.columns) as string[];
        const texts = columns.map((column, place) => [column, cellText(cells[place] ?? '')]);
        return { row: number, cells: Object.fromEntries(texts) };
      },
    );

    app.get(
      `${ONE}errors/`,
      {
        config: can('imports:run'),
        schema: {
          summary: 'Descargar las filas con errores',
          description:
            'CSV con la fila, el campo, el error y las celdas de la fila, para corregirlas e importarlas de nuevo.',
          params: idParams,
        },
      },
      async (request, reply) =>
        sendErrors(context, reply, await importOf(context, request, { toWrite: false })),
    );
  };

/** A separate plugin, because the body is a file with other limits. */
const importUploads =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser([...IMPORT_TYPES], { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.addContentTypeParser('*', (_request, _body, done) => done(otherType()));
    app.setErrorHandler<FastifyError>((error, request, reply) =>
      handleError(error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge() : error, request, reply),
    );

    app.post(
      BASE,
      {
        bodyLimit: IMPORT_BYTES_MAX,
        config: can('imports:run', {
          writes: NOTHING,
          takes: IMPORT_TYPES,
          bodyMs: UPLOAD_MS,
          errors: {
            413: 'Archivo de más de 20 MB, o de más de 200 MB al abrirlo (too_large)',
            415: 'El archivo no es .xlsx ni CSV (unsupported_media_type)',
          },
        }),
        schema: {
          summary: 'Subir un archivo de Excel o CSV para importarlo',
          description:
            'Un libro .xlsx, del que se lee una hoja (`sheet`), o CSV con comas, punto y coma o tabuladores, en UTF-8, UTF-16, Windows-1252, Mac Roman o CP850: donde las letras dejan duda, `encodings` dice cómo se leería en cada una. Hasta 20 MB y 100 000 filas. No importa nada todavía.',
          querystring: importQuery,
          response: { 201: importUpload },
        },
      },
      async (request, reply) => {
        const principal = principalOf(request);
        const { kind, sheet } = request.query;
        requireWrite(principal, kind);
        const bytes: unknown = request.body;
        if (!Buffer.isBuffer(bytes)) throw otherType();
        const actor = { kind: principal.kind, id: principal.id, name: principal.name };
        reply.code(201);
        return uploadImport(context, { kind, bytes, sheet, actor, origin: originOf(request) });
      },
    );
  };

const otherType = () => new AppError(415, 'unsupported_media_type', { message: IMPORT_MESSAGES.mediaType });
const tooLarge = () => new AppError(413, 'too_large', { message: IMPORT_MESSAGES.tooLarge });
