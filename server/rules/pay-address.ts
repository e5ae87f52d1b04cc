import { PAY_PATH } from '../../contract/portal/portal-words.ts';
import type { SecretBox } from '../lib/secret-box.ts';

/**
 * The address on which a payment request is paid (PAY-02). Its code is made out of the request under SECRET_KEY whenever
 * it is needed, and only its hash is stored: a copy of the database opens no page, not by a mail in it either.
 */

/** What the code is made of: an id alone could stand for another request after a copy was restored. */
export type PayRequestName = { id: number; created_at: string };

const PURPOSE = 'payment request';
const MASK = '•••';
/** Marks what a code is made of among the secrets of a mail. */
const MARK = 'pay:';

const sourceOf = ({ id, created_at }: PayRequestName): string => `${id} ${created_at}`;

export const payCodeOf = (secrets: Pick<SecretBox, 'codeOf'>, request: PayRequestName): string =>
  secrets.codeOf(sourceOf(request), PURPOSE);

export const payUrl = (clientUrl: string, code: string): string => `${clientUrl}${PAY_PATH}/${code}`;

/** The address of a request. */
export const payUrlOf = (
  { clientUrl, secrets }: { clientUrl: string; secrets: Pick<SecretBox, 'codeOf'> },
  request: PayRequestName,
): string => payUrl(clientUrl, payCodeOf(secrets, request));

/**
 * A mail without the code in it, as it is stored.
 * @returns with what {@link withPayCode} makes the code of again
 */
export function maskPayCode<Content extends { subject: string; body_text: string; body_html: string }>(
  secrets: Pick<SecretBox, 'codeOf'>,
  content: Content,
  request: PayRequestName | undefined,
): { content: Content; secrets: string[] } {
  if (!request) return { content, secrets: [] };
  const code = payCodeOf(secrets, request);
  const clean = (text: string) => text.replaceAll(code, MASK);
  const { subject, body_text, body_html } = content;
  return {
    content: {
      ...content,
      subject: clean(subject),
      body_text: clean(body_text),
      body_html: clean(body_html),
    },
    secrets: [`${MARK}${sourceOf(request)}`],
  };
}

/** What leaves: the code is put back where it was. */
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
