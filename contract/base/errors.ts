import { z } from 'zod';
import { FIELD_ERROR_CODES, type FieldErrorCode } from './field-errors.ts';

/** The stable error codes. Programs branch on the code, never on the text. Each code has a default message. */
export const ERROR_CODES = {
  invalid: 'Datos inválidos',
  unauthorized: 'Unauthorized',
  forbidden: 'No tienes permiso para realizar esta acción',
  not_allowed: 'Su proveedor no ofrece esta opción',
  inactive: 'La licencia no está activa',
  suspended: 'La licencia está suspendida',
  cancelled: 'La licencia está cancelada',
  expired: 'La licencia está vencida',
  wrong_software: 'La clave es de otro producto',
  user_inactive: 'Usuario inactivo',
  invalid_token: 'El enlace no es válido, ya se usó o venció. Pide uno nuevo.',
  invalid_code: 'El código no es correcto o ya se usó',
  mfa_required: 'Escribe el código de tu aplicación de verificación',
  mfa_setup_required: 'Activa la verificación en dos pasos para continuar',
  step_up_required: 'Confirma tu identidad para continuar',
  last_admin: 'Debe quedar al menos un administrador activo',
  not_found: 'No encontrado',
  license_not_found: 'Licencia no encontrada',
  method_not_allowed: 'Método no permitido',
  conflict: 'La operación entra en conflicto con otros datos',
  count_changed: 'La cantidad de registros cambió. Revisa la lista e intenta de nuevo.',
  in_use: 'No se puede eliminar porque tiene licencias asociadas',
  has_payments: 'Tiene pagos registrados: cancélala',
  installation_limit: 'Se alcanzó el máximo de instalaciones',
  release_not_allowed: 'La licencia no permite que el programa libere su equipo',
  release_limit: 'Por ahora no se pueden liberar más equipos de esta licencia',
  file_issued: 'El equipo tiene un archivo sin conexión vigente: solo el proveedor puede liberarlo',
  not_available: 'No está disponible para licencias con lugares flotantes',
  invalid_transition: 'La licencia no admite esta acción en su estado actual',
  not_renewable: 'La licencia no vence: no hay nada que renovar',
  not_undoable: 'La licencia cambió después de su última renovación, o no tiene ninguna',
  updates_ended: 'La licencia no incluye esta versión: sus actualizaciones terminaron antes',
  trial_converted: 'La prueba de este equipo ya es una licencia',
  trial_limit: 'Por hoy no se pueden empezar más pruebas',
  already_extended: 'Este periodo ya tuvo una prórroga',
  already_requested: 'La licencia ya tiene un cobro por pagar',
  idempotency_conflict:
    'Un envío anterior ya se guardó, con otros datos. Búscalo en la lista y edítalo; si quieres crear otro registro, guarda de nuevo.',
  stale: 'Este registro fue modificado por otra persona',
  too_large: 'La solicitud es demasiado grande',
  unsupported_media_type: 'El contenido debe enviarse como application/json',
  misdirected: 'Este servidor no responde con este nombre: usa su dirección',
  expectation_failed: 'La expectativa del encabezado Expect no se puede cumplir',
  rate_limited: 'Demasiados intentos. Intenta nuevamente en unos minutos.',
  headers_too_large: 'Los encabezados de la solicitud son demasiado grandes',
  request_timeout: 'La solicitud tardó demasiado en llegar',
  server_error: 'Error en el servidor',
  figures_pending: 'Estas cifras se están calculando. Vuelve a pedirlas en unos segundos.',
  unavailable: 'El servicio no está disponible. Intenta nuevamente en unos momentos.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The texts of field errors, by field. */
export type FieldErrors = Record<string, string[]>;

const fieldErrorCode = z.enum(Object.keys(FIELD_ERROR_CODES) as [FieldErrorCode, ...FieldErrorCode[]]).meta({
  id: 'FieldErrorCode',
  description: Object.entries(FIELD_ERROR_CODES)
    .map(([code, meaning]) => `${code}: ${meaning}`)
    .join('; '),
});

/** The part of an error answer that lists wrong fields. */
export const fieldErrorShape = {
  errors: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'Los textos para personas, por campo / The texts for people, by field' })
    .optional(),
  /** The codes of the texts in `errors`: the same fields, each with as many entries in the same order (API-04). */
  error_codes: z
    .record(z.string(), z.array(fieldErrorCode))
    .meta({
      description:
        'Los códigos de esos textos: los mismos campos, en el mismo orden / The codes of those texts: the same fields, in the same order',
    })
    .optional(),
};

/**
 * An error in a row of a file. `row` is its number in a spreadsheet; `field` is null if no single field is wrong.
 * `code` is that of the field's error (FIELD_ERROR_CODES), or without a field that of the refusal (ERROR_CODES).
 */
export const rowError = z
  .object({ row: z.number().int(), field: z.string().nullable(), message: z.string(), code: z.string() })
  .meta({ id: 'ImportError' });
export type RowError = z.infer<typeof rowError>;

/** The body of every error. `current` is sent only with code 'stale', `mfa_token` with 'mfa_required'. */
const errorBody = z
  .object({
    success: z.literal(false),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    ...fieldErrorShape,
    current: z.record(z.string(), z.unknown()).optional(),
    mfa_token: z.string().optional(),
    /**
     * The local day from which the call will be possible again, with codes 'release_limit' and 'file_issued' (PROG-06,
     * PORTAL-05).
     */
    available_from: z.string().optional(),
    /**
     * When a floating seat becomes free if no machine sends another heartbeat, with code 'installation_limit';
     * Retry-After says it in seconds (CODE-03).
     */
    seat_free_at: z.string().optional(),
    /** The refused licence and its open payment request (PAY-01). */
    license: z.number().int().optional(),
    payment_request: z.number().int().optional(),
    /** With 404 of a client that was merged: the client that has its records now (MERGE-01). */
    merged_into: z
      .number()
      .int()
      .meta({
        description:
          'El cliente con el que se fusionó el que buscas / The client into which the one you ask for was merged',
      })
      .optional(),
    /** The first rows because of which an import cannot be undone, with code 'not_undoable' (INPUT-07). */
    rows: z.array(rowError).optional(),
    /** The signed refusal, for an installed program that sent a nonce (PROG-01). */
    token: z.string().optional(),
  })
  .meta({ id: 'Error' });

export type ErrorBody = z.infer<typeof errorBody>;

/** The answer of a command that returns no record. */
export const done = z.object({ success: z.literal(true), message: z.string() }).meta({ id: 'Done' });
