import { API_KEY_CALLS_PER_MINUTE } from '../../contract/people/api-keys.ts';
import type { Access, RouteFacts } from './access.ts';

/** The errors that a route can answer, derived from its input and its access policy. */

/** The 400 of an operation without input. */
const STRICT_ONLY = 'Un parámetro en una llamada estricta (invalid)';
const KEY_LIMIT = `Más de ${API_KEY_CALLS_PER_MINUTE} llamadas por minuto con una clave de API (rate_limited); Retry-After dice cuántos segundos esperar`;
/** The errors that every route can have; they are omitted from the list of a route's particular errors. */
export const EVERYWHERE: readonly string[] = [STRICT_ONLY, KEY_LIMIT];
const USED_KEY = 'la clave de idempotencia ya se usó (idempotency_conflict)';

export const STATUS_TEXTS: Record<number, string> = {
  200: 'Hecho',
  201: 'Creado',
  202: 'Aceptado: un trabajo lo hace',
  302: 'Lleva a otra dirección (Location)',
  400: 'Datos inválidos (invalid); errors nombra cada campo, error_codes su código',
  401: 'Sin sesión válida (unauthorized)',
  403: 'No permitido (forbidden), o falta activar la verificación en dos pasos (mfa_setup_required)',
  404: 'No existe (not_found)',
  409: 'En conflicto con otros datos (conflict)',
  412: 'El registro cambió desde que se leyó (stale); current trae el actual',
  413: 'Cuerpo de más de 100 kB (too_large)',
  415: 'El contenido no es JSON en UTF-8, o está comprimido (unsupported_media_type)',
  429: 'Demasiados intentos (rate_limited); Retry-After dice cuántos segundos esperar',
  500: 'Error en el servidor (server_error)',
  503: 'La base de datos no está disponible, o el servicio está ocupado (unavailable), o las cifras se están calculando (figures_pending); se puede reintentar',
};

/** The 404 of what a server without OIDC_ISSUER does not offer (SIGN-02). */
export const NO_OIDC = 'Aquí no se entra con OpenID Connect (not_found)';
/** A way in that OIDC_ONLY refuses, for the 403 of its route (SIGN-02). */
export const ONLY_OIDC = 'solo se entra con OpenID Connect (forbidden)';
/** The 403 of a route that asks for the password again. */
export const STEP_UP_403 = 'Sin permiso (forbidden), o hay que confirmar la identidad (step_up_required)';
/** The same, of a route that API keys may not call. */
export const PERSON_403 =
  'Sin permiso, o no es una persona (forbidden), o hay que confirmar la identidad (step_up_required)';

/** True for routes that need a token, so not for those for anyone, installed programs or portal clients. */
export const asksForToken = (access: Access) => !['anyone', 'license-key', 'client'].includes(access);

const PORTAL_TEXTS = {
  401: 'Sin sesión en el portal, o ya terminó (unauthorized)',
  403: 'Falta el encabezado X-Portal: 1, o la sesión no admite la llamada (forbidden)',
  404: 'No existe, o el portal está apagado (not_found)',
} as const;

/** The facts from which the errors of an operation are derived. */
type Operation = Pick<RouteFacts, 'once' | 'errors' | 'portal'> & {
  access: Access;
  isRead: boolean;
  hasBody: boolean;
  parameters: readonly { in: 'path' | 'query' | 'header'; name: string }[];
};

/** The errors of an operation by status, each with its meaning and its codes. */
export function errorsOf(operation: Operation): Record<number, string> {
  const { access, isRead, hasBody, parameters, once, portal, errors: own = {} } = operation;
  const isIn = (place: 'path' | 'query') => parameters.some((parameter) => parameter.in === place);
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  const statuses = [400, 500, 503];
  if (asksForToken(access)) statuses.push(401, 403);
  if (isIn('path') || has('page')) statuses.push(404);
  if (!isRead) statuses.push(413, 415);
  if (has('If-Match')) statuses.push(412);
  const errors: Record<number, string> = Object.fromEntries(
    statuses.map((status) => [status, STATUS_TEXTS[status]!]),
  );
  if (portal) errors[404] = PORTAL_TEXTS[404];
  if (access === 'client') errors[401] = PORTAL_TEXTS[401];
  if (access === 'client' || (portal === true && !isRead)) errors[403] = PORTAL_TEXTS[403];
  // A call without input can only be invalid if it is strict.
  if (isRead && !hasBody && !isIn('query')) errors[400] = STRICT_ONLY;
  // Sessions have no such limit.
  if (asksForToken(access) && access !== 'signed-in') errors[429] = KEY_LIMIT;
  if (once) errors[409] = `L${USED_KEY.slice(1)}`;
  for (const [status, text] of Object.entries(own)) {
    errors[Number(status)] = text === true ? STATUS_TEXTS[Number(status)]! : text;
  }
  if (once && errors[409]?.includes('idempotency_conflict') === false) errors[409] += `, o ${USED_KEY}`;
  return errors;
}
