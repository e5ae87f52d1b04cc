import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/own-session.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { setSigningOut } from './ui-store.ts';

/** Signs the user out. The button of the top bar and the action of the palette use it. */
export function useSignOut() {
  const queryClient = useQueryClient();
  return useOneAtATime(async () => {
    setSigningOut(true);
    await queryClient.cancelQueries();
    await signOut();
    setSigningOut(false);
  });
}
