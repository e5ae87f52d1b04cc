/** A licence key anywhere in a text, also as people type it: without hyphens, or with spaces in their place. */
const LICENSE_KEY =
  /(?<=^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2})[A-Za-z0-9]{5}(?:[- +]?[A-Za-z0-9]{5}){4}(?![A-Za-z0-9])/g;

/** The code of a certificate anywhere in a text, typed as freely as a licence key. */
const CERTIFICATE =
  /(?<=^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2})[A-Za-z0-9]{4}(?:[- +]?[A-Za-z0-9]{4}){3}(?![A-Za-z0-9])/g;

/** What begins with the prefix of a secret: an API key, the secret of a webhook. */
const PREFIXED = /(?:lmk|whsec)_[\w+=-]+/gi;

/**
 * Whatever looks random: a token of a link or the code of a payment in a place where none belongs. The names of routes
 * have neither digits nor capitals.
 */
const RANDOM = /(?<![\w-])(?=[\w-]*[A-Z0-9])[\w-]{16,}/g;

/** A file of the console, whose name ends with a hash of its content. */
const ASSET = /^\/assets\/[a-z0-9-]+-[\w-]{8}\.[a-z0-9]+$/;

/**
 * The path segments after which a secret follows: the token of a client's link, the code of a certificate, the code
 * of a payment request. Each of them gives access (EVENT-04).
 */
const BEFORE_SECRET = /^(?:unsubscribe|verify|verificar|pay|pagar)$/i;

/** How often a path is decoded; what is still encoded after that is logged as ***. */
const ROUNDS = 5;

/**
 * The path for the log, without its query. Licence keys, API keys, tokens and codes are masked, wherever they stand
 * and however they are encoded.
 */
export function loggedPath(url: string): string {
  const path = decoded(url.split(/[?#]/, 1)[0]!);
  if (ASSET.test(path)) return path;
  return [PREFIXED, LICENSE_KEY, CERTIFICATE, RANDOM].reduce(
    (text, form) => text.replace(form, '***'),
    withoutCodes(path),
  );
}

/** Masks the segment after each word of {@link BEFORE_SECRET}; empty segments and dots between them do not count. */
function withoutCodes(path: string): string {
  let isSecret = false;
  return path
    .split(/([/\\]+)/)
    .map((segment, at) => {
      const isSeparator = at % 2 === 1;
      if (isSeparator || /^\.*$/.test(segment)) return segment;
      const shown = isSecret ? '***' : segment;
      isSecret = !isSecret && BEFORE_SECRET.test(segment);
      return shown;
    })
    .join('');
}

/** Decodes the path as often as it is encoded, and each part alone: one that is malformed hides no other. */
function decoded(path: string): string {
  let text = path;
  for (let round = 0; round < ROUNDS && text.includes('%'); round += 1) {
    const once = text.replace(/%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi, decodedPart);
    if (once === text) return text;
    text = once;
  }
  return text.replace(/%[0-9a-f]{2}/gi, '***');
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
