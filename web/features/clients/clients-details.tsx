import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import type { ClientDetails } from '../../../contract/clients.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import type { ClientTab } from '../../paths.ts';
import { actions } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ClientInstallations, installationsOf } from './client-installations.tsx';
import { ClientLicenses } from './client-licenses.tsx';
import { ClientSummary } from './client-summary.tsx';
import { clientQuery } from './clients.api.ts';

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
  return (
    <Dialog
      open
      size="xl"
      title={clientTexts.details}
      onClose={onClose}
      footer={
        query.data && (
          <Button icon={Pencil} onClick={onEdit}>
            {actions.edit}
          </Button>
        )
      }
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
        { key: 'resumen', label: tabs.summary, content: <ClientSummary client={client} /> },
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
