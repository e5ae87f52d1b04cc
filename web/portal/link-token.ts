import { makeStore } from './store.ts';

/**
 * The token of a link: `t` of a mail, `k` of a program or of staff ('Ver como cliente'). It stands after '#', where no
 * server and no Referer sees it, is taken out of the address at once, and only a button uses it up (PORTAL-01).
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
