/**
 * Whether this browser was signed in to the portal. The session is a cookie that scripts cannot read. Without this
 * hint, every visitor would make a call that is refused. If storage is blocked, the person counts as not signed in.
 */
const KEY = 'portal_signed_in';

export function isHinted(): boolean {
  try {
    return localStorage.getItem(KEY) === '1';
  } catch {
    return false;
  }
}

export function setHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked in some private windows: the person must sign in again after a reload.
  }
}
