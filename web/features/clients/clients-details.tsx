import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { greetingOf } from '../../../contract/clients/whatsapp.ts';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { Offered } from '../../components/frame/offered.tsx';
import { RecordHistory } from '../../components/history/record-history.tsx';
import { ClientStatusBadge } from '../../components/record/badges.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { DetailsDialog, EditButton } from '../../components/record/details-dialog.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { historyTexts } from '../../text/es-events.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { AskOfClient, ClientQuestion } from './ask-of-client.ts';
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

/** 'Detalles del Cliente' for an id (SEED-2.7-01 to -26). */
export function ClientDetailsDialog({ id, tab, onTab, onEdit, onClose }: ClientDetailsDialogProps) {
  const query = useQuery(clientQuery(id));
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
            <WhatsAppLink phone={client.phone} text={`${greetingOf(client.name)} `} size="sm" />
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
}

function ClientTabs({ client, tab, onTab, onAsk }: ClientTabsProps) {
  const { tabs } = clientTexts;
  const licenses = client.licenses ?? [];
  const installations = installationsOf(client);
  const historyRef = useFocusBack(tab);
  return (
    <Tabs<ClientTab>
      label={clientTexts.details}
      value={tab === 'historial' ? 'resumen' : tab}
      onChange={onTab}
      tabs={[
        {
          key: 'resumen',
          label: tabs.summary,
          content:
            tab === 'historial' ? (
              <ClientHistory id={client.id} onBack={() => onTab('resumen')} />
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
          content: <ClientLicenses licenses={licenses} />,
        },
        {
          key: 'instalaciones',
          label: tabs.installations,
          count: client.installation_count ?? installations.length,
          content: <ClientInstallations installations={installations} onAsk={onAsk} />,
        },
      ]}
    />
  );
}

/** The client's history in place of its summary; the three tabs stay three (EVENT-08). */
function ClientHistory({ id, onBack }: { id: number; onBack: () => void }) {
  const titleRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => titleRef.current?.focus(), []);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 ref={titleRef} tabIndex={-1} className="font-semibold outline-none">
          {historyTexts.ofClient}
        </h3>
        <Button size="sm" icon={ArrowLeft} onClick={onBack}>
          {clientTexts.backToSummary}
        </Button>
      </div>
      <RecordHistory of={{ client: id }} />
    </div>
  );
}

/** 'Ver historial' gets the focus when the history was left. */
function useFocusBack(tab: ClientTab) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const before = useRef(tab);
  useEffect(() => {
    if (before.current === 'historial' && tab === 'resumen') buttonRef.current?.focus();
    before.current = tab;
  }, [tab]);
  return buttonRef;
}
