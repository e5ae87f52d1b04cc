import { PAY_PATH } from '../../contract/portal/portal-words.ts';
import type { SecretBox } from '../lib/secret-box.ts';

/**
 * The address on which a payment request is paid (PAY-02). Its code is computed from the request and SECRET_KEY
 * whenever it is needed; the database stores only its hash. So nobody can open a payment page with a copy of the
 * database, and the mails in it do not contain the code either.
 */

/**
 * The input of the code. The id alone is not enough: after a backup was restored, the same id can stand for another
 * request.
 */
export type PayRequestName = { id: number; created_at: string };

const PURPOSE = 'payment request';
const MASK = '•••';
/** Marks the input of a payment code among the stored secrets of a mail. */
const MARK = 'pay:';

const sourceOf = ({ id, created_at }: PayRequestName): string => `${id} ${created_at}`;

export const payCodeOf = (secrets: Pick<SecretBox, 'codeOf'>, request: PayRequestName): string =>
  secrets.codeOf(sourceOf(request), PURPOSE);

export const payUrl = (clientUrl: string, code: string): string => `${clientUrl}${PAY_PATH}/${code}`;

/** The address on which a request is paid. */
export const payUrlOf = (
  { clientUrl, secrets }: { clientUrl: string; secrets: Pick<SecretBox, 'codeOf'> },
  request: PayRequestName,
): string => payUrl(clientUrl, payCodeOf(secrets, request));

/**
 * Removes the code from a mail, for storing it.
 * @returns the mail without the code, and the secrets from which {@link withPayCode} computes the code again
 */
export function maskPayCode<Content extends { subject: string; text: string; html: string }>(
  secrets: Pick<SecretBox, 'codeOf'>,
  content: Content,
  request: PayRequestName | undefined,
): { content: Content; secrets: string[] } {
  if (!request) return { content, secrets: [] };
  const code = payCodeOf(secrets, request);
  const clean = (text: string) => text.replaceAll(code, MASK);
  const { subject, text, html } = content;
  return {
    content: { ...content, subject: clean(subject), text: clean(text), html: clean(html) },
    secrets: [`${MARK}${sourceOf(request)}`],
  };
}

/** The payment request whose code a stored mail stands for; null for none. */
export function payRequestIdIn(stored: string): number | null {
  const known: string[] = JSON.parse(stored);
  const source = known.find((one) => one.startsWith(MARK));
  return source === undefined ? null : Number.parseInt(source.slice(MARK.length), 10);
}

/** Puts the code back into a mail that is being sent. */
export function withPayCode<Content extends { subject: string; text: string; html: string }>(
  box: Pick<SecretBox, 'codeOf'>,
  content: Content,
  stored: string,
): Content {
  const known: string[] = JSON.parse(stored);
  const source = known.find((one) => one.startsWith(MARK));
  if (source === undefined) return content;
  const address = `${PAY_PATH}/${box.codeOf(source.slice(MARK.length), PURPOSE)}`;
  const whole = (text: string) => text.replaceAll(`${PAY_PATH}/${MASK}`, address);
  return {
    ...content,
    subject: whole(content.subject),
    text: whole(content.text),
    html: whole(content.html),
  };
}
