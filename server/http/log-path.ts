/** The pattern of a licence key anywhere in a text (contract/licenses.ts). */
const LICENSE_KEY = /[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}/g;

/** The token of a client's link; it is a credential (EVENT-04). */
const LINK_TOKEN = /(?<=\/unsubscribe\/)[^/]+/;

/** The path for the log: without its query, and with licence keys and tokens masked. */
export const loggedPath = (url: string): string =>
  url.split('?', 1)[0]!.replace(LICENSE_KEY, '***').replace(LINK_TOKEN, '***');
