/**
 * The security headers of all answers, built once (docs/promises.md, Who gets in). Pages may only use scripts and
 * styles from this server.
 */

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // Permits the frame with the page that shows a mail.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

/** The headers of pages, without {@link transportSecurity}. */
export function pageHeaders(): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** The page in which the console shows a mail; web/components/mail/mail-frame.tsx fills it. */
export const MAIL_FRAME_PATH = '/mail-frame.html';

/**
 * The different headers of the page that shows a mail: no script runs in it, styles inside a mail are allowed, and
 * only the console may embed the page.
 */
export const MAIL_FRAME_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src * data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
};

/**
 * The headers of data answers: a browser that opens one may load nothing, embed it nowhere and guess no type. The
 * other headers of pages have no effect on data and would only cost time.
 */
export function apiHeaders(): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  };
}

/** @param isSecure whether the origin of the answer is https; a browser would keep HSTS of another one for a year */
export const transportSecurity = (isSecure: boolean): Record<string, string> =>
  isSecure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {};
