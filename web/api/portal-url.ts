/** The address of the clients' portal, for the texts that staff send to clients (DESK-08). */

/** `url` is null while the portal is closed, or not known yet. The check of the session writes it. */
export const portal: { url: string | null } = { url: null };
