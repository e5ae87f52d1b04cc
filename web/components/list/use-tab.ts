import { useNavigate } from '../../navigation/hooks.ts';

/** Turns to a tab of the open details, which the address then names; the first tab needs no name. */
export function useTurnToTab(): (tab: string) => void {
  const navigate = useNavigate();
  return (tab) =>
    void navigate({
      to: '.',
      // The tabs are those of the screen that is shown.
      search: (now) => ({ ...now, tab: tab === 'resumen' ? undefined : tab }) as typeof now,
      state: true,
      replace: true,
    });
}
