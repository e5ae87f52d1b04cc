import { useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { useMeantPhone } from '../../components/client/use-meant-phone.ts';
import { whatsappChats } from '../../components/client/whatsapp-link.tsx';
import { lastTermQuery } from '../../components/license/lifecycle.api.ts';
import { expiryUrgency } from '../../components/license/urgency-level.ts';
import { whatsappTexts } from '../../text/es-mail.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

/**
 * 'WhatsApp' of a licence: one button with the messages that can be sent to its client (LIFE-11). Renders nothing
 * without a usable phone number.
 */
export function WhatsAppMenu({ license }: { license: LicenseRow }) {
  const [open, setOpen] = useState(false);
  const { data: last } = useQuery(lastTermQuery(license.id));
  const isRenewed = last !== undefined && last.kind !== 'issue';
  const meant = useMeantPhone(license.client_phone, license.client);
  const isDue = expiryUrgency(license, new Date()) !== 'none';
  const chats = whatsappChats(license, { isDue, isRenewed, meant });
  if (chats.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button size="sm" icon={MessageCircle}>
          {whatsappTexts.button}
        </Button>
      }
      items={chats.map((chat) => ({ ...chat, icon: MessageCircle }))}
      open={open}
      onOpenChange={setOpen}
    />
  );
}
