import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import type { ClientDetails } from '../../../contract/clients.ts';
import { ClientStatusBadge } from '../../components/badges.tsx';
import { clientQuery } from '../../components/catalogue-queries.ts';
import { useRecordTitle } from '../../components/frame/window-title.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { type ClientTab, PATHS } from '../../paths.ts';
import { actions } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ClientInstallations, installationsOf } from './client-installations.tsx';
import { ClientLicenses } from './client-licenses.tsx';
import { ClientSummary } from './client-summary.tsx';

interface ClientDetailsDialogProps {
  id: number;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onEdit: () => void;
  onClose: () => void;
}

/** 'Detalles del Cliente' for an id (SEED-2.7-01 to -26). */
export function ClientDetailsDialog({ id, tab, onTab, onEdit, onClose }: ClientDetailsDialogProps) {
  const query = useQuery(clientQuery(id));
  const client = query.error === null ? query.data : undefined;
  useRecordTitle(client?.name);
  return (
    <Dialog
      open
      size="xl"
      steady
      title={clientTexts.details}
      subject={
        client && {
          name: client.name,
          state: <ClientStatusBadge status={client.status} />,
          actions: (
            <>
              <Link
                to={PATHS.licenses}
                search={{ nuevo: '1', cliente: client.id }}
                className={buttonClass('secondary', 'sm', 'gap-2')}
              >
                <Plus aria-hidden className="size-4 shrink-0" />
                {clientTexts.newLicense}
              </Link>
              <Button size="sm" icon={Pencil} onClick={onEdit}>
                {actions.edit}
              </Button>
            </>
          ),
        }
      }
      onClose={onClose}
    >
      <RecordState query={query} texts={clientTexts.record}>
        {(client) => <ClientTabs client={client} tab={tab} onTab={onTab} />}
      </RecordState>
    </Dialog>
  );
}

interface ClientTabsProps {
  client: ClientDetails;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
}

function ClientTabs({ client, tab, onTab }: ClientTabsProps) {
  const { tabs } = clientTexts;
  const licenses = client.licenses ?? [];
  const installations = installationsOf(client);
  return (
    <Tabs<ClientTab>
      label={clientTexts.details}
      value={tab}
      onChange={onTab}
      tabs={[
        {
          key: 'resumen',
          label: tabs.summary,
          content: (
            <ClientSummary client={client} licenses={licenses} installations={installations} onTab={onTab} />
          ),
        },
        {
          key: 'licencias',
          label: tabs.licenses,
          count: client.license_count ?? licenses.length,
          content: <ClientLicenses licenses={licenses} />,
        },
        {
          key: 'instalaciones',
          label: tabs.installations,
          count: client.installation_count ?? installations.length,
          content: <ClientInstallations installations={installations} />,
        },
      ]}
    />
  );
}
