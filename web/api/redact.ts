/** Values that must never appear in a console or a log (D001): credentials, tokens and whole licence keys. */
const SECRET_NAME = /^(authorization|(.*_)?(password|token|license_key))$/i;
const LICENSE_KEY = /[2-9A-HJ-NP-Z]{5}(?:(?:-|%2D)[2-9A-HJ-NP-Z]{5}){4}/gi;
const HIDDEN = '***';

/** A path with its query, in which secrets are replaced. This includes a licence key that was typed into a search. */
export function redactPath(path: string): string {
  const [start = '', query] = path.split('?');
  const shown = start.replace(LICENSE_KEY, HIDDEN);
  if (query === undefined) return shown;
  const parts = query.split('&').map((part) => {
    const name = part.split('=')[0] ?? '';
    return SECRET_NAME.test(name) ? `${name}=${HIDDEN}` : part.replace(LICENSE_KEY, HIDDEN);
  });
  return `${shown}?${parts.join('&')}`;
}

/** A deep copy of a value with its secrets replaced. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LICENSE_KEY, HIDDEN);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? HIDDEN : redact(inner)]),
  );
}
