import { timingSafeEqual } from 'node:crypto';
import type { AppContext } from '../../../context.ts';

/**
 * What binds an answer of the issuer to the browser that asked for it. The browser holds one random cookie; state, nonce
 * and the verifier of PKCE follow from it and from the server's key, so nothing is stored, and every replica knows them
 * (docs/decisions/168-openid-connect.md).
 */

/** How long somebody may take at the issuer, in milliseconds. */
export const START_MS = 10 * 60_000;

/** A sign-in that began: when, and whether it is to confirm the identity of somebody who is signed in. */
export type Start = { at: Date; isStepUp: boolean };

type Secrets = Pick<AppContext, 'secrets'>;

const proof = ({ secrets }: Secrets, cookie: string, facts: string) =>
  secrets.digest(`${cookie}\n${facts}`, 'oidc-state');

/** The state of a start. It says when and why, and nobody can make it without the cookie and the server's key. */
export function stateOf(context: Secrets, cookie: string, { at, isStepUp }: Start): string {
  const facts = `${at.getTime().toString(36)}.${isStepUp ? 1 : 0}`;
  return `${facts}.${proof(context, cookie, facts)}`;
}

/** @returns the start to which a state belongs; null for another browser's, a changed or an old one */
export function startOf(context: Secrets, cookie: string, state: string, now: Date): Start | null {
  const [time = '', stepUp = '', given = ''] = state.split('.');
  const facts = `${time}.${stepUp}`;
  const [one, other] = [Buffer.from(given), Buffer.from(proof(context, cookie, facts))];
  if (one.length !== other.length || !timingSafeEqual(one, other)) return null;
  const at = new Date(Number.parseInt(time, 36));
  return now.getTime() - at.getTime() > START_MS ? null : { at, isStepUp: stepUp === '1' };
}

export const nonceOf = ({ secrets }: Secrets, cookie: string, state: string): string =>
  secrets.digest(`${cookie}\n${state}`, 'oidc-nonce');

/** 43 characters of base64url, as RFC 7636 wants it. */
export const verifierOf = ({ secrets }: Secrets, cookie: string, state: string): string =>
  secrets.digest(`${cookie}\n${state}`, 'oidc-verifier');
