/**
 * Texts shown instead of an end date: the term starts with the first activation (SELL-01), or the licence never ends.
 */

export const NO_END = 'Sin expiración';
export const STARTS_WHEN_ACTIVATED = 'Empieza al activarse';

/**
 * A server that implements only the specification does not send `pending_start`: all its terms start at their issue.
 */
export const withoutEnd = ({ pending_start = false }: { pending_start?: boolean | undefined }): string =>
  pending_start ? STARTS_WHEN_ACTIVATED : NO_END;
