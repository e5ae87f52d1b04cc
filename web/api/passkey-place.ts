import { useQuery } from '@tanstack/react-query';
import { healthQuery } from './health-api.ts';

/**
 * Whether this page is the one on which passkeys sign in, and the browser knows them (SIGN-01). The console may also
 * be open under another name of the server, where the browser would refuse every passkey.
 */
export function usePasskeyPlace(): boolean {
  const { data } = useQuery(healthQuery);
  return data?.passkey_origin === location.origin && 'PublicKeyCredential' in window;
}
