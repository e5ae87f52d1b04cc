import { expect } from 'vitest';
import { contentOf, findMessage } from '../server/features/mail/outbox.queries.ts';
import { portalLinkJob } from '../server/features/portal/portal-link-job.ts';
import { mustExist } from '../server/lib/must-exist.ts';
import type { TestApp } from './app.ts';
import { runJob } from './run-job.ts';

/** Uses the portal like a client's browser. */

export const PORTAL = '/licenses/api/portal/';

/** Changes settings, such as `portal_enabled`. */
export async function setSettings(t: TestApp, body: object): Promise<void> {
  expect((await t.call('PUT', '/licenses/api/settings/', { body })).status).toBe(200);
}

/** A browser: it stores cookies and sends the portal's header. */
export class Browser {
  readonly t: TestApp;
  /** Sent with every call, such as X-Forwarded-For if the server trusts a proxy. */
  readonly headers: Record<string, string>;
  readonly cookies = new Map<string, string>();

  constructor(t: TestApp, headers: Record<string, string> = {}) {
    this.t = t;
    this.headers = headers;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the answer
  async call<Body = any>(
    method: string,
    path: string,
    {
      body,
      payload,
      headers = {},
    }: { body?: unknown; payload?: string; headers?: Record<string, string> } = {},
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.t.call<Body>(method, path.startsWith('/') ? path : `${PORTAL}${path}`, {
      token: null,
      ...(payload === undefined ? { body } : { payload }),
      headers: { 'x-portal': '1', ...(cookie !== '' && { cookie }), ...this.headers, ...headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  ask(email: string) {
    return this.call('POST', 'sign-in/', { body: { email } });
  }

  verify(body: object) {
    return this.call('POST', 'sign-in/verify/', { body });
  }

  /** Signs a client in with the code of the mail. */
  async signIn(email: string): Promise<this> {
    expect((await this.ask(email)).status).toBe(202);
    const { code } = await mailedTo(this.t, email);
    expect((await this.verify({ code })).status).toBe(200);
    return this;
  }
}

/** Creates the codes for all waiting requests, as the runner does a moment later. */
export async function makeCodes(t: TestApp): Promise<void> {
  const waiting = await t.db
    .selectFrom('portal_asks')
    .select('id')
    .where('kind', '=', 'client')
    .where('token_hash', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of waiting) {
    await runJob(t.context, portalLinkJob, new AbortController().signal, JSON.stringify({ ask: id }));
  }
}

/** The newest mail with a code to an address: its content as sent, its code and the token of its link. */
export async function mailedTo(t: TestApp, address: string) {
  await makeCodes(t);
  const row = await t.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'portal_link')
    .where('to_address', '=', address)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const message = mustExist(await findMessage(t.db, mustExist(row, `mail to ${address}`).id), 'message');
  const content = contentOf(message, t.context.secrets);
  return {
    ...content,
    code: /\d{6}/.exec(content.subject)?.[0] ?? '',
    token: /#t=([\w-]+)/.exec(content.text)?.[1] ?? '',
  };
}

/** True if an address got a mail with a code. */
export async function wasMailed(t: TestApp, address: string): Promise<boolean> {
  await makeCodes(t);
  const row = await t.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'portal_link')
    .where('to_address', '=', address)
    .executeTakeFirst();
  return row !== undefined;
}

/** Another code than this one. */
export const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');
