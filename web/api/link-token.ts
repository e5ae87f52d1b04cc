import { create } from 'zustand';

/**
 * The token of a link from a mail or the log. It follows '#' in the address, which browsers do not send to servers. It
 * is removed from the address at once, so that neither the browser history nor a screenshot shows it, and is stored in
 * memory only.
 */
interface LinkToken {
  /** The screen that the link leads to. */
  path: string;
  token: string;
}

export const useLinkToken = create<LinkToken>()(() => ({ path: '', token: '' }));

/**
 * Takes the token out of the address, now and whenever a link is opened in the same tab. Call it once, before the
 * router reads the address.
 * @param paths the screens whose links have tokens
 */
export function takeLinkTokens(paths: readonly string[]): void {
  const take = () => {
    const { pathname, search, hash } = window.location;
    if (hash.length < 2 || !paths.includes(pathname)) return;
    useLinkToken.setState({ path: pathname, token: hash.slice(1) });
    window.history.replaceState(window.history.state, '', pathname + search);
  };
  take();
  window.addEventListener('hashchange', take);
}
