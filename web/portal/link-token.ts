import { makeStore } from './store.ts';

/**
 * The token of a link: `t` from a mail, `k` from a program or from staff ('Ver como cliente'). It follows '#', so it
 * is not sent to a server or in the Referer header. It is removed from the address at once, and only used by a button
 * (PORTAL-01).
 */
export interface LinkToken {
  from: 'mail' | 'program';
  token: string;
}

export const linkToken = makeStore<LinkToken | null>(null);

const FORM = /^#([tk])=(.+)$/;

/** Takes the token out of the address, now and whenever a link is opened in the same tab. Call it once. */
export function takeLinkToken(): void {
  const take = () => {
    const [, kind, token] = FORM.exec(location.hash) ?? [];
    if (kind === undefined || token === undefined) return;
    history.replaceState(null, '', location.pathname + location.search);
    linkToken.set({ from: kind === 't' ? 'mail' : 'program', token });
  };
  take();
  window.addEventListener('hashchange', take);
}
