import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Plus, Radio } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { greetingOf } from '../../../contract/clients/whatsapp.ts';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { Offered } from '../../components/frame/offered.tsx';
import { RecordTimeline } from '../../components/history/record-timeline.tsx';
import { ClientStatusBadge } from '../../components/record/badges.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsDialog, EditButton } from '../../components/record/details-dialog.tsx';
import { RowsOfRecord } from '../../components/record/rows-of-record.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS, loadErrors, MACHINE_NOUN } from '../../text/es.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { historyTexts } from '../../text/es-events.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { AskOfClient, ClientQuestion } from './ask-of-client.ts';
import { ClientChecks } from './client-checks.tsx';
import { ClientInstallations, installationsOf } from './client-installations.tsx';
import { ClientLicenses } from './client-licenses.tsx';
import { ClientQuestionPlace } from './client-question.tsx';
import { ClientSummary } from './client-summary.tsx';
import type { ClientTab } from './clients-search.ts';

interface ClientDetailsDialogProps {
  id: number;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onEdit: () => void;
  onClose: () => void;
}

/** The dialog 'Detalles del Cliente' (SEED-2.7-01 to -26). */
export function ClientDetailsDialog({ id, tab, onTab, onEdit, onClose }: ClientDetailsDialogProps) {
  const query = useQuery(clientQuery(id));
  const checksRef = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<{ of: number; question: ClientQuestion } | null>(null);
  return (
    <DetailsDialog
      query={query}
      size="place"
      steady
      texts={clientTexts}
      nameOf={({ name }) => name}
      subject={(client) => ({
        name: client.name,
        state: <ClientStatusBadge status={client.status} />,
        actions: (
          <>
            <Offered what="licenses.create">
              <Link
                to={PATHS.licenses}
                search={{ nuevo: '1', cliente: client.id }}
                className={buttonClass('secondary', 'sm', 'gap-2')}
              >
                <Plus aria-hidden className="size-4 shrink-0" />
                {clientTexts.newLicense}
              </Link>
            </Offered>
            <Offered what="clients.edit">
              <EditButton onClick={onEdit} />
            </Offered>
            <Offered what="clients.checks">
              <Button ref={checksRef} size="sm" icon={Radio} onClick={() => onTab('consultas')}>
                {checkTexts.see}
              </Button>
            </Offered>
            <WhatsAppLink
              phone={client.phone}
              client={client}
              text={`${greetingOf(client.name)} `}
              size="sm"
            />
            <ClientQuestionPlace
              key={client.id}
              client={client}
              question={asked?.of === id ? asked.question : null}
              onClose={(answered) => setAsked((now) => (now?.question === answered ? null : now))}
            />
          </>
        ),
      })}
      onClose={onClose}
    >
      {(client) => (
        <ClientTabs
          client={client}
          tab={tab}
          onTab={onTab}
          onAsk={(question) => setAsked({ of: id, question })}
          checksRef={checksRef}
        />
      )}
    </DetailsDialog>
  );
}

interface ClientTabsProps {
  client: ClientDetails;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onAsk: AskOfClient;
  /** The element of the button 'Ver consultas'. */
  checksRef: RefObject<HTMLButtonElement | null>;
}

function ClientTabs({ client, tab, onTab, onAsk, checksRef }: ClientTabsProps) {
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
                onAsk={onAsk}
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
              {(rows) => <ClientInstallations installations={rows} onAsk={onAsk} />}
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
