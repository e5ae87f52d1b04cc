import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { type CheckMending, ChecksList } from '../../components/checks/checks-list.tsx';
import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';

/** What the address of the licence asks for each button; its form has an address of its own. */
const ASKED: Record<Exclude<CheckMending, 'update'>, LicenseQuestion> = {
  renew: 'renovar',
  reinstate: 'reactivar',
  release: 'liberar',
};

/** What the programs of a client asked, whatever licence they have (SELL-07). What helps is asked at the licence. */
export function ClientChecks({ client }: { client: ClientDetails }) {
  const navigate = useNavigate();
  return (
    <ChecksList
      of={{ client: client.id }}
      licenses={client.licenses ?? []}
      onMend={({ id }, mending) =>
        void (mending === 'update'
          ? navigate({ to: PATHS.licenses, search: { editar: id } })
          : navigate({
              to: PATHS.license,
              params: { id: String(id) },
              search: { accion: ASKED[mending] },
            }))
      }
    />
  );
}
