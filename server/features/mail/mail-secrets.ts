/** The variables whose values give access. */
const SECRET = ['link', 'code', 'unsubscribeUrl'];

/**
 * The parts of a mail that answers, events and the log must never contain (EVENT-04): a code, and in a link the part
 * after its path, or a token at the end of the path.
 * @param variables the mail's variables
 */
export function secretsOf(variables: Record<string, unknown>): string[] {
  return SECRET.flatMap((name) => {
    const value = variables[name];
    if (typeof value !== 'string' || value === '') return [];
    return URL.canParse(value) ? secretOfLink(value) : [value];
  });
}

function secretOfLink(link: string): string[] {
  const path = link.split(/[?#]/, 1)[0]!;
  const [behind, token] = [link.slice(path.length + 1), path.slice(path.lastIndexOf('/') + 1)];
  if (behind !== '') return [behind];
  return /^[\w-]{40,}$/.test(token) ? [token] : [];
}

const MASK = '•••';

/**
 * A text of a mail with its secrets masked.
 * @param stored the secrets, as the outbox stores them
 */
export function masked(text: string, stored: string): string {
  const secrets: string[] = JSON.parse(stored);
  return secrets.reduce(
    (clean, secret) => clean.replaceAll(secret, MASK).replaceAll(secret.replaceAll('&', '&amp;'), MASK),
    text,
  );
}
