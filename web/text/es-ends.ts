/**
 * Texts about the end of a licence. Without a date its term starts with the first activation (SELL-01), or it never
 * ends.
 */

export const NO_END = 'Sin expiración';
export const STARTS_WHEN_ACTIVATED = 'Empieza al activarse';

/**
 * A server that implements only the specification does not send `pending_start`: all its terms start at their issue.
 */
export const withoutEnd = ({ pending_start = false }: { pending_start?: boolean | undefined }): string =>
  pending_start ? STARTS_WHEN_ACTIVATED : NO_END;

/** 'Vence el 21/11/2027', 'Venció el 21/11/2026'. */
export const expiresOn = (day: string, isExpired: boolean) => `${isExpired ? 'Venció' : 'Vence'} el ${day}`;
