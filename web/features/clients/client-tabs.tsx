import { ArrowLeft } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { RecordTimeline } from '../../components/history/record-timeline.tsx';
import { RowsOfRecord } from '../../components/list/rows-of-record.tsx';
import { KIND_NOUNS, loadErrors, MACHINE_NOUN } from '../../text/es.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { historyTexts } from '../../text/es-events.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ClientChecks } from './client-checks.tsx';
import { ClientInstallations, installationsOf } from './client-installations.tsx';
import { ClientLicenses } from './client-licenses.tsx';
import { ClientSummary } from './client-summary.tsx';
import type { ClientTab } from './clients-search.ts';

interface ClientTabsProps {
  client: ClientDetails;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onErase: (opener: HTMLElement) => void;
  onMerge: (other: number, opener: HTMLElement) => void;
  /** The element of the button 'Ver consultas'. */
  checksRef: RefObject<HTMLButtonElement | null>;
}

/** The three tabs of a client, in its dialog and on its page (SEED-2.7-03). */
export function ClientTabs({ client, tab, onTab, onErase, onMerge, checksRef }: ClientTabsProps) {
  const { tabs } = clientTexts;
  const licenses = client.licenses ?? [];
  const installations = installationsOf(client);
  const historyRef = useRef<HTMLButtonElement>(null);
  useFocusBack(tab, { historial: historyRef, consultas: checksRef });
  const toSummary = () => onTab('resumen');
  return (
    <Tabs<ClientTab>
      label={clientTexts.details}
      value={tab === 'historial' || tab === 'consultas' ? 'resumen' : tab}
      onChange={onTab}
      tabs={[
        {
          key: 'resumen',
          label: tabs.summary,
          content:
            tab === 'historial' ? (
              <InSummarysPlace title={historyTexts.ofClient} onBack={toSummary}>
                <RecordTimeline of={{ client: client.id }} />
              </InSummarysPlace>
            ) : tab === 'consultas' ? (
              <InSummarysPlace title={checkTexts.ofClient} onBack={toSummary}>
                <ClientChecks client={client} />
              </InSummarysPlace>
            ) : (
              <ClientSummary
                client={client}
                licenses={licenses}
                installations={installations}
                onTab={onTab}
                onErase={onErase}
                onMerge={onMerge}
                historyRef={historyRef}
              />
            ),
        },
        {
          key: 'licencias',
          label: tabs.licenses,
          count: client.license_count ?? licenses.length,
          content: (
            <RowsOfRecord
              rows={licenses}
              count={client.license_count ?? licenses.length}
              list={{ path: '/licenses/api/licenses/', filters: { client: client.id } }}
              noun={KIND_NOUNS.licenses}
              failed={loadErrors.licenses}
            >
              {(rows) => <ClientLicenses licenses={rows} />}
            </RowsOfRecord>
          ),
        },
        {
          key: 'instalaciones',
          label: tabs.installations,
          count: client.installation_count ?? installations.length,
          content: (
            <RowsOfRecord
              rows={installations}
              count={client.installation_count ?? installations.length}
              list={{ path: '/licenses/api/installations/', filters: { client: client.id } }}
              noun={MACHINE_NOUN}
              failed={loadErrors.installations}
            >
              {(rows) => <ClientInstallations installations={rows} />}
            </RowsOfRecord>
          ),
        },
      ]}
    />
  );
}

interface InSummarysPlaceProps {
  title: string;
  onBack: () => void;
  children: ReactNode;
}

/**
 * Shows the client's history or checks instead of its summary, so that there are only three tabs (EVENT-08, SELL-07).
 */
function InSummarysPlace({ title, onBack, children }: InSummarysPlaceProps) {
  const titleRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => titleRef.current?.focus(), []);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 ref={titleRef} tabIndex={-1} className="font-semibold outline-none">
          {title}
        </h3>
        <Button size="sm" icon={ArrowLeft} onClick={onBack}>
          {clientTexts.backToSummary}
        </Button>
      </div>
      {children}
    </div>
  );
}

type Opener = RefObject<HTMLButtonElement | null>;

/** When the history or the checks are closed, the focus returns to the button that opened them. */
function useFocusBack(tab: ClientTab, openers: Partial<Record<ClientTab, Opener>>) {
  const before = useRef(tab);
  useEffect(() => {
    if (tab === 'resumen') openers[before.current]?.current?.focus();
    before.current = tab;
  });
}
