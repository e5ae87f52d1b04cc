import { useQuery } from '@tanstack/react-query';
import { Eye, Send } from 'lucide-react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { PortalAddress } from '../../../contract/portal/portal.ts';
import { request } from '../../api/http.ts';
import { useMay } from '../../api/permissions.ts';
import { useAction } from '../../components/record/use-action.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { settingsQuery } from '../../components/settings/settings.api.ts';
import { apiOf } from '../../record-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { clientPortalTexts as texts } from './client-portal-texts.ts';

/** 'Portal' in the details of a client: whether the client uses the portal, and the actions of staff (PORTAL-08). */
export function ClientPortal({ client }: { client: ClientDetails }) {
  const may = useMay();
  const settings = useQuery({ ...settingsQuery, enabled: may('settings:read') });
  // A person who may not read the settings sees the section in any case. If the portal is off, the server refuses the
  // actions.
  if (settings.data?.portal_enabled === false) return null;
  const isActive = client.status === 'active';
  return (
    <section className="border-t border-border pt-5" aria-label={texts.title}>
      <h3 className="text-sm font-semibold">{texts.title}</h3>
      <p className="mt-0.5 text-muted">
        {isActive ? texts.lastSignIn(client.portal_last_sign_in) : texts.notActive}
      </p>
      {isActive && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Offered what="clients.portal.invite">
            <InviteButton client={client} />
          </Offered>
          {/* The view also shows licences, so their permission is needed too. */}
          {may('licenses:read') && (
            <Offered what="clients.portal.view">
              <ViewButton client={client} />
            </Offered>
          )}
        </div>
      )}
    </section>
  );
}

function InviteButton({ client }: { client: ClientDetails }) {
  const [invite, inviting] = useAction(texts.inviteFailed, async () => {
    await request('POST', `${apiOf('clients', client.id)}portal/invite/`);
    toasts.success(texts.invited(client.email));
  });
  return (
    <Button size="sm" icon={Send} busy={inviting} busyLabel={texts.inviting} onClick={invite}>
      {texts.invite}
    </Button>
  );
}

/** The link works once and for five minutes, so it is requested on click and never shown. */
function ViewButton({ client }: { client: ClientDetails }) {
  const [view, opening] = useAction(texts.viewFailed, async () => {
    // Opened before the request: browsers allow a new tab only directly after a click.
    const tab = window.open('about:blank');
    try {
      const { url } = await request<PortalAddress>('POST', `${apiOf('clients', client.id)}portal/view/`);
      if (tab === null) window.location.assign(url);
      else tab.location.replace(url);
    } catch (error) {
      tab?.close();
      throw error;
    }
  });
  return (
    <Button size="sm" icon={Eye} busy={opening} busyLabel={texts.opening} onClick={view}>
      {texts.view}
    </Button>
  );
}
