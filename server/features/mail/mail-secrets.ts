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
    return URL.canParse(value) ? (/(?<=[?#]).+$|(?<=\/)[\w-]{40,}$/.exec(value)?.slice(0, 1) ?? []) : [value];
  });
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
