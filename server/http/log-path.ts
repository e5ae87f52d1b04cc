/** A licence key anywhere in a text, also as people type it: without hyphens, or with spaces in their place. */
const LICENSE_KEY = /(?<![A-Za-z0-9])[A-Za-z0-9]{5}(?:[- +]?[A-Za-z0-9]{5}){4}(?![A-Za-z0-9])/g;

/**
 * The path segments after which a secret follows: the token of a client's link, the code of a certificate, the code
 * of a payment request. Each of them gives access (EVENT-04).
 */
const AFTER_SECRET = /(?<=\/(?:unsubscribe|verify|verificar|pay|pagar)\/)[^/]+/gi;

/**
 * The path for the log, without its query. Licence keys, tokens and codes are masked, also when they are
 * percent-encoded.
 */
export const loggedPath = (url: string): string =>
  decoded(url.split('?', 1)[0]!).replace(LICENSE_KEY, '***').replace(AFTER_SECRET, '***');

/** Decodes the path as the router does, so that encoded secrets are found too. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
