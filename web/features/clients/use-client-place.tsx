import { Plus, Radio } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { greetingOf } from '../../../contract/clients/whatsapp.ts';
import { ContactLinks } from '../../components/client/contact-links.tsx';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { ClientStatusBadge } from '../../components/record/badges.tsx';
import { EditButton } from '../../components/record/details-dialog.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import type { DialogSubject } from '../../ui/dialog-props.ts';
import { ClientContact } from './client-contact.tsx';
import { EraseDialog } from './client-privacy.tsx';
import { ClientTabs } from './client-tabs.tsx';
import type { ClientTab } from './clients-search.ts';
import { useMergePlace } from './use-merge-place.tsx';

interface ClientPlaceProps {
  id: number;
  tab: ClientTab;
  onTab: (tab: ClientTab) => void;
  onEdit: () => void;
}

/**
 * What the dialog and the page of a client share: its name, state, actions and contact, its tabs, and the questions
 * whether its personal data are to be erased and whether it is to be merged. They stand beside the actions, so that
 * another tab does not remove them.
 * @returns `subject` and `content` of a client; `open` is a further action
 */
export function useClientPlace({ id, tab, onTab, onEdit }: ClientPlaceProps) {
  const checksRef = useRef<HTMLButtonElement>(null);
  const place = useMergePlace(id);
  const [erased, setErased] = useState<{ of: number; opener: HTMLElement } | null>(null);
  const question = erased?.of === id ? erased : null;
  const subject = (client: ClientDetails, open?: ReactNode): DialogSubject => ({
    name: client.name,
    state: <ClientStatusBadge status={client.status} />,
    actions: (
      <>
        {open}
        <ContactLinks phone={client.phone} email={client.email} emailShown={client.email_shown} />
        <WhatsAppLink phone={client.phone} client={client} text={`${greetingOf(client.name)} `} size="sm" />
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
        <DialogPlace key={client.id} open={question !== null}>
          {question !== null && (
            <EraseDialog
              client={client}
              onClose={() => setErased((now) => (now === question ? null : now))}
              finalFocus={() => question.opener}
            />
          )}
        </DialogPlace>
        {place.dialogOf(client)}
      </>
    ),
    aside: <ClientContact client={client} columns={1} />,
  });
  const content = (client: ClientDetails) => (
    <ClientTabs
      client={client}
      tab={tab}
      onTab={onTab}
      onMerge={place.onMerge}
      onErase={(opener) => setErased({ of: id, opener })}
      checksRef={checksRef}
    />
  );
  return { subject, content };
}
