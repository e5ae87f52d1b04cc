import { create } from 'zustand';

/**
 * The token of a link from a mail or the log. It arrives in the address after '#', where no server sees it. It is
 * removed from the address at once, so that neither the history nor a picture of the screen shows it, and is kept in
 * memory alone.
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
