/**
 * Whether this browser was signed in to the portal. The session itself is a cookie that scripts cannot read; the hint
 * spares everyone else a call that would be refused. Where storage is refused, nobody is thought to be signed in twice.
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
    // Refused in some private windows: the person signs in again after a reload.
  }
}
