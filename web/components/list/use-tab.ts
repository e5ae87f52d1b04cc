import { useNavigate } from '../../navigation/hooks.ts';

/**
 * Returns a function that opens a tab of the details and writes the tab's name to the address. The first tab has no
 * name there.
 */
export function useTurnToTab(): (tab: string) => void {
  const navigate = useNavigate();
  return (tab) =>
    void navigate({
      to: '.',
      // The casts are safe: the tab is one of the shown screen.
      search: (now) => ({ ...now, tab: tab === 'resumen' ? undefined : tab }) as typeof now,
      state: true,
      replace: true,
    });
}
