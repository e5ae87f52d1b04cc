/** The address of the clients' portal, for the texts that staff send to clients (DESK-08). */

let portalUrl: string | null = null;

/** Null while the portal is closed, or not known yet. */
export const portalUrlInUse = () => portalUrl;

/** Servers of earlier versions do not send it. */
export function adoptPortalUrl(url: string | null = null): void {
  portalUrl = url;
}
