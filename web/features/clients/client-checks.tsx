import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { type CheckMending, ChecksList } from '../../components/checks/checks-list.tsx';
import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';

/** The dialog that each button opens in the details of the licence. 'update' opens the licence's form instead. */
const ASKED: Record<Exclude<CheckMending, 'update'>, LicenseQuestion> = {
  renew: 'renovar',
  reinstate: 'reactivar',
  release: 'liberar',
};

/** The checks of all licences of a client (SELL-07). The buttons open the licence, where the dialogs are. */
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
