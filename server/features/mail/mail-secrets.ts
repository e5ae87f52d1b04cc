/** The variables whose values let somebody act. */
const SECRET = ['link', 'code', 'unsubscribeUrl'];

/**
 * What of a mail answers, events and the log never hold (EVENT-04): a code, and of a link what follows its path, or a
 * token that ends it.
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
 * A text of a mail without its secrets.
 * @param stored the secrets, as the outbox stores them
 */
export function masked(text: string, stored: string): string {
  const secrets: string[] = JSON.parse(stored);
  return secrets.reduce(
    (clean, secret) => clean.replaceAll(secret, MASK).replaceAll(secret.replaceAll('&', '&amp;'), MASK),
    text,
  );
}
