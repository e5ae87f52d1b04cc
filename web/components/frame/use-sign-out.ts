import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/own-session.ts';
import { useOneAtATime } from '../record/use-one-at-a-time.ts';
import { setSigningOut } from './ui-store.ts';

/** Signs the user out: the top bar's button and the palette's action. */
export function useSignOut() {
  const queryClient = useQueryClient();
  return useOneAtATime(async () => {
    setSigningOut(true);
    await queryClient.cancelQueries();
    await signOut();
    setSigningOut(false);
  });
}
