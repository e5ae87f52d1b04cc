import type { ReactNode, Ref } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { ClientMoney } from '../../components/charge/client-money.tsx';
import { RecentTimeline } from '../../components/history/recent-timeline.tsx';
import { StandingRequests } from '../../components/payment/standing-requests.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { formatDate, formatNumber } from '../../text/format.ts';
import { useAsideIsBeside } from '../../ui/dialog-panel.tsx';
import { ClientContact } from './client-contact.tsx';
import { ClientGlance } from './client-glance.tsx';
import { ClientPortal } from './client-portal.tsx';
import { ClientPrivacy } from './client-privacy.tsx';
import type { ClientTab } from './clients-search.ts';
import { SameClient } from './same-client.tsx';

interface ClientSummaryProps {
  client: ClientDetails;
  licenses: readonly License[];
  installations: readonly Installation[];
  onTab: (tab: ClientTab) => void;
  /** 'Borrar datos personales' was pressed. */
  onErase: (opener: HTMLElement) => void;
  /** 'Fusionar' beside a client that may be the same was pressed. */
  onMerge: (other: number, opener: HTMLElement) => void;
  /** The element of the button 'Ver historial'. */
  historyRef: Ref<HTMLButtonElement>;
}

/**
 * Tab 'Resumen': counts, licences and installations, money and the latest events (SEED-2.7-06 to -12, LIST-04). Name
 * and status are in the header, and contact stands beside it if there is room.
 */
export function ClientSummary({
  client,
  licenses,
  installations,
  onTab,
  onErase,
  onMerge,
  historyRef,
}: ClientSummaryProps) {
  const isBeside = useAsideIsBeside();
  return (
    <div className="space-y-6">
      <Counters client={client} />
      <ClientGlance client={client} licenses={licenses} installations={installations} onTab={onTab} />
      {!isBeside && <ClientContact client={client} columns={2} />}
      <ClientMoney client={client.id} />
      <StandingRequests of={{ client: client.id }} phone={client.phone} />
      {/* A section before it has its own rule. */}
      <div className="border-t border-border pt-5 [section+&]:border-t-0 [section+&]:pt-0">
        <RecentTimeline
          of={{ client: client.id }}
          onHistory={() => onTab('historial')}
          historyRef={historyRef}
        />
      </div>
      <SameClient client={client} onMerge={onMerge} />
      <ClientPortal client={client} />
      <ClientPrivacy client={client} onErase={onErase} />
    </div>
  );
}

function Counters({ client }: { client: ClientDetails }) {
  const { counters } = clientTexts;
  return (
    <dl className="grid grid-cols-[1fr_1fr_auto] sm:grid-cols-3 divide-x divide-border rounded-xl border border-border max-[24rem]:grid-cols-1 max-[24rem]:divide-x-0 max-[24rem]:divide-y">
      <Counter label={counters.licenses}>{formatNumber(client.license_count ?? 0)}</Counter>
      <Counter label={counters.installations}>{formatNumber(client.installation_count ?? 0)}</Counter>
      <Counter label={counters.since}>{formatDate(client.created_at)}</Counter>
    </dl>
  );
}

function Counter({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end px-4 py-3 max-sm:px-3">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="whitespace-nowrap text-xl font-semibold max-sm:text-base">{children}</dd>
    </div>
  );
}
