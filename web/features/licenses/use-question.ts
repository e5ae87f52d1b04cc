import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { useNavigate } from '../../navigation/hooks.ts';

/** Returns a function that writes a dialog over the details of a licence to the address; undefined removes it. */
export function useAskInAddress(): (accion: LicenseQuestion | undefined) => void {
  const navigate = useNavigate();
  return (accion) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, accion }) as typeof now,
      state: true,
      replace: true,
    });
}
