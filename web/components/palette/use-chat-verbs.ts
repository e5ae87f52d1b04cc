import { useQueryClient } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { greetingOf, keyMessage, reminderMessage, whatsappLink } from '../../../contract/clients/whatsapp.ts';
import { portal } from '../../api/portal-url.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { paletteVerbs as texts } from '../../text/es-palette.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { loadPhones } from '../client/use-phones.ts';
import { licenseQuery } from '../license/licenses.api.ts';
import { expiryUrgency } from '../license/urgency-level.ts';
import type { Hit } from './named-record.ts';
import type { PaletteVerb } from './palette-options.ts';

/** The actions that open a WhatsApp chat with the client of a record that the palette found. */
export function useChatVerbs() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  /** A number that does not exist opens the client's details instead, which offer the one that was meant (INPUT-02). */
  const openChat = async (client: number, phone: string, href: string) => {
    const phones = await loadPhones().catch(() => null);
    if (phones?.isPossiblePhone(phone) === false)
      void navigate({ to: PATHS.client, params: { id: String(client) } });
    else window.open(href, '_blank', 'noopener');
  };
  const whatsapp = (
    id: string,
    client: { id: number; name: string },
    phone: string,
    text: string,
  ): PaletteVerb[] => {
    const href = whatsappLink(phone, text);
    if (href === null) return [];
    return [
      {
        id,
        label: texts.whatsapp,
        title: texts.whatsappTo(client.name),
        icon: MessageCircle,
        run: () => void openChat(client.id, phone, href),
      },
    ];
  };

  const licenses = (license: Hit<'licenses'>): PaletteVerb[] => {
    const { id, client, client_phone } = license;
    const shown = { ...license, client_name: client.name };
    const now = new Date();
    const isDue = expiryUrgency(license, now) !== 'none';
    const said = [businessTimeZoneInUse(), now, portal.url] as const;
    const text = (isDue ? reminderMessage : keyMessage)(shown, ...said);
    return whatsapp(`chat-license-${id}`, client, client_phone, text);
  };

  /** A machine of the search does not say how to reach its client, so its licence is asked, which the card shows too. */
  const installations = ({ id, license, client_name }: Hit<'installations'>): PaletteVerb => ({
    id: `chat-machine-${id}`,
    label: texts.whatsapp,
    title: texts.whatsappTo(client_name),
    icon: MessageCircle,
    run: async () => {
      const { client, client_phone } = await queryClient.ensureQueryData(licenseQuery(license));
      const href = whatsappLink(client_phone, `${greetingOf(client_name)} `);
      if (href === null) void navigate({ to: PATHS.client, params: { id: String(client.id) } });
      else await openChat(client.id, client_phone, href);
    },
  });

  return {
    clients: ({ id, name, phone }: Pick<Hit<'clients'>, 'id' | 'name' | 'phone'>) =>
      whatsapp(`chat-client-${id}`, { id, name }, phone, `${greetingOf(name)} `),
    licenses,
    installations,
  };
}
