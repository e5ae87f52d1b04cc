/** A licence key anywhere in a text, as typed too: without hyphens, or with spaces in their place. */
const LICENSE_KEY = /(?<![A-Za-z0-9])[A-Za-z0-9]{5}(?:[- +]?[A-Za-z0-9]{5}){4}(?![A-Za-z0-9])/g;

/** The token of a client's link, the code of a certificate and that of a request for payment: whoever has them reaches what they stand for (EVENT-04). */
const AFTER_SECRET = /(?<=\/(?:unsubscribe|verify|verificar|pay|pagar)\/)[^/]+/gi;

/** The path for the log: without its query, and with licence keys, tokens and codes masked, however they are encoded. */
export const loggedPath = (url: string): string =>
  decoded(url.split('?', 1)[0]!).replace(LICENSE_KEY, '***').replace(AFTER_SECRET, '***');

/** The router decodes a path before it matches; what is masked must be found in the same form. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
