import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  noticeDismissal,
  type PaymentRequest,
  paymentRequest,
  paymentRequestCancel,
  paymentRequestCreate,
  paymentRequestDetails,
  paymentRequestPage,
  paymentRequestPaid,
  paymentRequestResolution,
} from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_MESSAGES, PAYMENT_REQUESTS_PATH } from '../../../contract/payments/payment-words.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { forbidden, notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { answerOnce, createOnce } from '../../http/idempotency.ts';
import { principalOf } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { addListRoutes } from '../../records/record-routes.ts';
import { payUrlOf } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { createRequest } from './create-request.ts';
import { dismissNotice } from './give-notice.ts';
import { paymentRequestList } from './payment-lists.ts';
import { type AnsweredRequest, findAnswer, paymentsOf } from './payments.queries.ts';
import { cancelRequest, markPaid, resolveRequest, sendRequest } from './request-actions.ts';

const ONE = `${PAYMENT_REQUESTS_PATH}:id(^\\d+$)/`;

const REFUSED =
  'Una licencia no admite la renovación (invalid_transition, not_renewable), ya tiene un cobro (already_requested) o tiene uno en revisión (conflict); license dice cuál, payment_request cuál es el cobro';
const OWN_TERMS = `Sin permiso (forbidden). ${PAYMENT_MESSAGES.ownTerms}; license dice cuál`;
const NOT_OPEN = { 409: 'El cobro ya no está por pagar (conflict)' } as const;

/** The events of a payment that is applied to licences. */
const WORK: readonly EventType[] = [
  'payment.received',
  'license.renewed',
  'license.seats_added',
  'payment_request.cancelled',
];

const noFields = z.object({});

/**
 * The address of a request is computed for each answer and stored nowhere, not even in the stored answer of a
 * repeated call.
 */
const withUrl = (context: AppContext, answer: AnsweredRequest): PaymentRequest => {
  const { id, ...others } = answer;
  const at = { clientUrl: context.config.clientUrl, secrets: context.secrets };
  return { id, url: payUrlOf(at, answer), ...others };
};

export const paymentRequestRoutes = routesOf('Cobros', (app, context) => {
  const { db, now, config } = context;
  const answer = async (scope: Scope, id: number): Promise<AnsweredRequest> =>
    mustExist(await findAnswer(scope.tx, id, scope), `payment request ${id}`);

  addListRoutes(app, context, paymentRequestList, {
    url: PAYMENT_REQUESTS_PATH,
    config: can('payments:read'),
    summary: 'Listar los cobros',
    page: paymentRequestPage,
    shown: async (_context, _request, rows) => rows.map((row) => withUrl(context, row)),
  });

  app.post(
    PAYMENT_REQUESTS_PATH,
    {
      config: can('payments:write', {
        writes: ['payment_request.created', 'payment_request.expired'],
        once: true,
        errors: { 403: OWN_TERMS, 409: REFUSED },
      }),
      schema: {
        summary: 'Pedir un pago a un cliente',
        body: paymentRequestCreate,
        response: { 201: paymentRequest },
      },
    },
    async (request, reply) => {
      const made = await createOnce(context, request, reply, async (scope) =>
        answer(scope, (await createRequest(scope, request.body, { anyTerms: mayRenew(request) })).id),
      );
      return withUrl(context, made);
    },
  );

  app.get(
    ONE,
    {
      config: can('payments:read'),
      schema: { summary: 'Ver un cobro', params: idParams, response: { 200: paymentRequestDetails } },
    },
    async (request) => {
      const { id } = request.params;
      const found = await findAnswer(db, id, { now: now(), timeZone: config.timeZone });
      if (!found) throw notFound(PAYMENT_MESSAGES.notFound);
      return { ...withUrl(context, found), payments: await paymentsOf(db, id) };
    },
  );

  addActions(app, context, answer);
});

type Answer = (scope: Scope, id: number) => Promise<AnsweredRequest>;

function addActions(app: RoutesApp, context: AppContext, answer: Answer): void {
  type Action<Body extends z.ZodType> = {
    path: string;
    summary: string;
    writes: readonly EventType[];
    errors: Readonly<Record<number, string>>;
    body: Body;
    /** Called before anything is changed; may throw. */
    allow?: (request: FastifyRequest, body: z.output<Body>) => void;
    run: (scope: Scope, id: number, body: z.output<Body>) => Promise<unknown>;
  };
  /** An action takes an Idempotency-Key, and answers with the request. */
  function addAction<Body extends z.ZodType>(action: Action<Body>): void {
    const { path, summary, writes, errors, body, allow, run } = action;
    app.post(
      `${ONE}${path}/`,
      {
        config: can('payments:write', { writes, once: true, errors }),
        schema: { summary, params: idParams, body, response: { 200: paymentRequest } },
      },
      async (request, reply) => {
        const sent = request.body as z.output<Body>;
        const { id } = request.params as z.output<typeof idParams>;
        allow?.(request, sent);
        const done = await answerOnce(context, request, reply, async (scope) => {
          await run(scope, id, sent);
          return { status: 200, body: await answer(scope, id) };
        });
        return withUrl(context, done);
      },
    );
  }

  addAction({
    path: 'cancel',
    summary: 'Cancelar un cobro',
    writes: ['payment_request.cancelled'],
    errors: NOT_OPEN,
    body: paymentRequestCancel,
    run: cancelRequest,
  });
  addAction({
    path: 'send',
    summary: 'Enviar de nuevo el correo de un cobro',
    writes: [],
    errors: NOT_OPEN,
    body: noFields,
    run: sendRequest,
  });
  addAction({
    path: 'mark_paid',
    summary: 'Registrar el pago de un cobro, o una parte',
    writes: WORK,
    errors: { ...NOT_OPEN, 403: RENEW_TOO },
    body: paymentRequestPaid,
    allow: requireRenew,
    run: markPaid,
  });
  addAction({
    path: 'dismiss_notice',
    summary: 'Responder que una transferencia avisada no llegó',
    writes: ['payment_request.notified'],
    errors: { 409: 'No hay ningún aviso por responder (conflict)' },
    body: noticeDismissal,
    run: dismissNotice,
  });
  addAction({
    path: 'resolve',
    summary: 'Resolver un cobro en revisión',
    writes: [...WORK, 'payment_request.resolved'],
    errors: {
      403: RENEW_TOO,
      409: 'El cobro no está en revisión o solo se puede cerrar (conflict), o una licencia no admite la renovación (invalid_transition, not_renewable)',
    },
    body: paymentRequestResolution,
    allow: (request, { action }) => {
      if (action === 'apply') requireRenew(request);
    },
    run: resolveRequest,
  });
}

const RENEW_TOO = 'Sin permiso (forbidden): renovar necesita también licenses:renew';

/** An API key with payments:write alone must not be able to renew licences, or to set their price (PAY-01). */
const mayRenew = (request: FastifyRequest): boolean => principalOf(request).permissions.has('licenses:renew');

function requireRenew(request: FastifyRequest): void {
  if (!mayRenew(request)) throw forbidden();
}
