import type { FastifyRequest } from 'fastify';
import { idParams, type Page } from '../../../../contract/base/page.ts';
import {
  invited,
  resetLink,
  type StaffUser,
  savedUser,
  staffUser,
  USER_MESSAGES,
  userCreate,
  userListQuery,
  userPage,
  userUpdate,
} from '../../../../contract/people/users.ts';
import { shownMailAddress } from '../../../../contract/reading/mail-addresses.ts';
import { mailAdvice } from '../../../../contract/reading/mail-suggestions.ts';
import { foundBy } from '../../../../contract/reading/search-folding.ts';
import type { AppContext } from '../../../context.ts';
import type { UserRow } from '../../../db/tables.ts';
import { can, NOTHING } from '../../../http/access.ts';
import { listUrl } from '../../../http/list-url.ts';
import { STEP_UP_403 } from '../../../http/openapi-errors.ts';
import { confirmedSession, inRequest } from '../../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../../http/routes.ts';
import { mustExist } from '../../../lib/must-exist.ts';
import { afterOf, readAfter } from '../../../lists/after.ts';
import { offsetOf, pageRequestOf, toPage } from '../../../lists/paging.ts';
import { addRecordRoutes } from '../../../records/record-routes.ts';
import { resetSecondFactor } from '../second-factor/set-up-second-factor.ts';
import { findUserById } from '../sign-in/auth.queries.ts';
import { changeUser, deactivateUser, reactivateUser, refuseOwn, unlockUser } from './change-user.ts';
import { type Invited, inviteAgain, inviteUser } from './invite-user.ts';
import { sendResetLink } from './send-reset-link.ts';
import { userRecord } from './user.record.ts';
import { allUsers, completeUser, completeUsers, statusOf, toStaffUser } from './users.queries.ts';

const ONE = '/licenses/api/users/:id(^\\d+$)/';
const LAST_ADMIN = { 409: 'Es el único administrador activo (last_admin)' };
/**
 * Calls that give a person all permissions, or give an account to somebody else, require the caller's confirmed
 * identity.
 */
const STEP_UP = { 403: STEP_UP_403 };
const NOT_ACTIVE = { 409: 'No aceptó su invitación, está inactivo, o es la cuenta propia (conflict)' };
const OWN = { 409: 'Es la cuenta propia (conflict)' };
const NOT_INVITED = { 409: 'Ya aceptó su invitación, o está inactivo (conflict)' };

/** The forms of the routes' answers, and the check of a confirmed identity. */
function answersOf({ db, config, mailer, now }: AppContext) {
  /** Without a mail server no mail reaches a person, so the administrator gets the link and gives it to the person. */
  const shownLink = async (path: string) =>
    (await mailer.transport()) === 'folder' ? `${config.publicUrl}${path}` : null;
  return {
    shownLink,
    complete: async (user: UserRow) => completeUser(db, user, now()),
    confirmOf: (request: FastifyRequest) => () => void confirmedSession(request, now()),
    answerOf: async ({ user, link }: Invited) => ({
      ...toStaffUser(user, JUST_INVITED),
      link: await shownLink(link),
    }),
  };
}

/** Who has no password yet has no passkey, and is not locked out. */
const JUST_INVITED = { locked_until: null, passkeys: 0 };

/** The order of the list, for its `after`. */
const ORDER = 'users';
const BY_USERNAME = { of: 'text', nullable: false } as const;

export const userRoutes = routesOf('Usuarios', (app, context) => {
  const { db } = context;
  const { confirmOf, answerOf } = answersOf(context);

  app.get(
    '/licenses/api/users/',
    {
      config: can('users:manage'),
      schema: { summary: 'Listar usuarios', querystring: userListQuery, response: { 200: userPage } },
    },
    async (request): Promise<Page<StaffUser>> => {
      const { query } = request;
      const filtered = (await allUsers(db)).filter(
        (user) =>
          (query.role === undefined || user.role === query.role) &&
          (query.status === undefined || statusOf(user) === query.status) &&
          (query.updated_since === undefined || user.updated_at >= query.updated_since),
      );
      const textsOf = ({ username, names, last_name, email }: (typeof filtered)[number]) => [
        ...[username, names, last_name, email, shownMailAddress(email)],
      ];
      const users = foundBy(filtered, textsOf, query.search ?? '');
      const page = pageRequestOf(query);
      const [last] = query.after === undefined ? [] : readAfter(query.after, ORDER, [BY_USERNAME]);
      const start =
        typeof last === 'string' ? users.filter((user) => user.username_key <= last).length : offsetOf(page);
      const rows = users.slice(start, start + page.pageSize);
      const isMore = users.length > start + rows.length && rows.length > 0;
      return toPage(
        page,
        {
          count: users.length,
          isExact: true,
          next: isMore ? afterOf(ORDER, [rows.at(-1)!.username_key]) : null,
        },
        await completeUsers(db, rows, context.now()),
        listUrl(context, request),
      );
    },
  );

  app.post(
    '/licenses/api/users/',
    {
      config: can('users:manage', { writes: ['user.invited'], errors: STEP_UP }),
      schema: { summary: 'Invitar a una persona', body: userCreate, response: { 201: invited } },
    },
    async (request, reply) => {
      if (request.body.role === 'admin') confirmedSession(request, context.now());
      const result = await inRequest(context, request, (scope) => inviteUser(scope, request.body));
      return reply.code(201).send({ ...(await answerOf(result)), ...mailAdvice(result.user.email) });
    },
  );

  addRecordRoutes(app, context, userRecord, {
    url: ONE,
    read: { config: can('users:manage'), summary: 'Ver un usuario', answer: staffUser },
    save: {
      config: can('users:manage', { writes: ['user.updated'], errors: { ...STEP_UP, ...LAST_ADMIN } }),
      summary: 'Actualizar un usuario',
      body: userUpdate,
      answer: savedUser,
      run: (scope, id, body, request) => changeUser(scope, id, body, confirmOf(request)),
      advise: (_scope, { email }) => mailAdvice(email),
    },
  });

  addUserActionRoutes(app, context);
});

/** The actions of an administrator on a person. */
function addUserActionRoutes(app: RoutesApp, context: AppContext): void {
  const { db } = context;
  const { complete, confirmOf, shownLink, answerOf } = answersOf(context);

  app.post(
    `${ONE}deactivate/`,
    {
      config: can('users:manage', { writes: ['user.deactivated'], errors: LAST_ADMIN }),
      schema: { summary: 'Desactivar un usuario', params: idParams, response: { 200: staffUser } },
    },
    async (request) =>
      complete(await inRequest(context, request, (scope) => deactivateUser(scope, request.params.id))),
  );

  app.post(
    `${ONE}reactivate/`,
    {
      config: can('users:manage', { writes: ['user.reactivated'], errors: STEP_UP }),
      schema: { summary: 'Reactivar un usuario', params: idParams, response: { 200: staffUser } },
    },
    async (request) =>
      complete(
        await inRequest(context, request, (scope) =>
          reactivateUser(scope, request.params.id, confirmOf(request)),
        ),
      ),
  );

  app.post(
    `${ONE}reset_mfa/`,
    {
      config: can('users:manage', {
        writes: ['user.mfa_reset', 'user.passkey_removed'],
        errors: { ...STEP_UP, ...OWN },
      }),
      schema: {
        summary: 'Quitar la verificación en dos pasos y las llaves de acceso de un usuario',
        params: idParams,
        response: { 200: staffUser },
      },
    },
    async (request) => {
      const { id } = request.params;
      confirmedSession(request, context.now());
      await inRequest(context, request, (scope) => {
        refuseOwn(scope, id, USER_MESSAGES.ownFactor);
        return resetSecondFactor(scope, id, USER_MESSAGES.notFound);
      });
      return complete(mustExist(await findUserById(db, id), `user ${id}`));
    },
  );

  app.post(
    `${ONE}unlock/`,
    {
      config: can('users:manage', { writes: ['user.updated'] }),
      schema: {
        summary: 'Levantar el bloqueo de un usuario por intentos fallidos',
        params: idParams,
        response: { 200: staffUser },
      },
    },
    async (request) =>
      complete(await inRequest(context, request, (scope) => unlockUser(scope, request.params.id))),
  );

  app.post(
    `${ONE}invite/`,
    {
      config: can('users:manage', { writes: ['user.invited'], errors: { ...STEP_UP, ...NOT_INVITED } }),
      schema: { summary: 'Enviar otra invitación', params: idParams, response: { 200: invited } },
    },
    async (request) =>
      answerOf(
        await inRequest(context, request, (scope) =>
          inviteAgain(scope, request.params.id, confirmOf(request)),
        ),
      ),
  );

  app.post(
    `${ONE}reset_link/`,
    {
      // No event here; one is written when the link is used.
      config: can('users:manage', { writes: NOTHING, errors: { ...STEP_UP, ...NOT_ACTIVE } }),
      schema: {
        summary: 'Enviar un enlace para cambiar la contraseña',
        params: idParams,
        response: { 200: resetLink },
      },
    },
    async (request) => {
      confirmedSession(request, context.now());
      const { path, api_keys } = await inRequest(context, request, (scope) =>
        sendResetLink(scope, request.params.id),
      );
      return { link: await shownLink(path), api_keys };
    },
  );
}
