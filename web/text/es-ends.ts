/** Said in place of an end, where a licence has none: its clock waits for the first activation (SELL-01), or never stops. */

export const STARTS_WHEN_ACTIVATED = 'Empieza al activarse';

/** A server of the specification says nothing of a start: all began with their issue. */
export const withoutEnd = ({ pending_start = false }: { pending_start?: boolean | undefined }): string =>
  pending_start ? STARTS_WHEN_ACTIVATED : 'Sin expiración';
