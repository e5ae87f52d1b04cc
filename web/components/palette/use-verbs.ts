import {
  CirclePause,
  CirclePlay,
  FilePlus2,
  HandCoins,
  MessageCircle,
  MonitorOff,
  Radio,
  RefreshCw,
} from 'lucide-react';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import { greetingOf, keyMessage, reminderMessage, whatsappLink } from '../../../contract/clients/whatsapp.ts';
import { useOffers } from '../../api/offers.ts';
import { portal } from '../../api/portal-url.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { paletteVerbs as texts } from '../../text/es-palette.ts';
import { releaseTexts } from '../../text/es-release.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { loadPhones } from '../client/use-phones.ts';
import type { LicenseQuestion } from '../license/licenses-search.ts';
import { expiryUrgency } from '../license/urgency-level.ts';
import { nameOfMachine, useReleaseSeat } from '../license/use-release-seat.ts';
import type { PaletteVerb } from './palette-options.ts';

type Hit<Kind extends keyof Omit<SearchAnswer, 'query'>> = NonNullable<SearchAnswer[Kind]>['results'][number];

/** Up to this number of machines are listed under their licence; more are separate lines. */
const MACHINES_MAX = 2;

/** Values of a licence's `can`, each with the dialog that its address opens. */
const ASKED = {
  renew: { question: 'renovar', icon: RefreshCw },
  reinstate: { question: 'reactivar', icon: CirclePlay },
  suspend: { question: 'suspender', icon: CirclePause },
} as const satisfies Record<string, { question: LicenseQuestion; icon: PaletteVerb['icon'] }>;
const ASKED_VERBS = ['renew', 'reinstate', 'suspend'] as const;

/** The actions on a record that the palette found: those that the server allows and that the person may use. */
export function useVerbs() {
  const navigate = useNavigate();
  const isOffered = useOffers();
  const release = useReleaseSeat();

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

  /** Without a confirmation, because a release can be undone. */
  const installations = (machine: Hit<'installations'>): PaletteVerb[] =>
    isOffered('installations.release')
      ? [
          {
            id: `release-${machine.id}`,
            label: releaseTexts.release,
            title: releaseTexts.of(nameOfMachine(machine)),
            icon: MonitorOff,
            run: () => void release(machine),
          },
        ]
      : [];

  return {
    installations,
    clients: ({ id, name, phone }: Hit<'clients'>): PaletteVerb[] => [
      ...(isOffered('licenses.create')
        ? [
            {
              id: `license-for-${id}`,
              label: texts.licenseFor(name),
              title: texts.licenseFor(name),
              icon: FilePlus2,
              run: () => void navigate({ to: PATHS.licenses, search: { nuevo: '1', cliente: id } }),
            },
          ]
        : []),
      ...(isOffered('clients.checks')
        ? [
            {
              id: `checks-of-client-${id}`,
              label: checkTexts.see,
              title: checkTexts.seeOf(name),
              icon: Radio,
              run: () =>
                void navigate({
                  to: PATHS.client,
                  params: { id: String(id) },
                  search: { tab: 'consultas' },
                }),
            },
          ]
        : []),
      ...whatsapp(`chat-client-${id}`, { id, name }, phone, `${greetingOf(name)} `),
    ],
    /** @param machines the machines in the same answer */
    licenses: (license: Hit<'licenses'>, machines: readonly Hit<'installations'>[]): PaletteVerb[] => {
      const { id, license_key, client, client_phone, can } = license;
      const told = { ...license, client_name: client.name };
      const now = new Date();
      const isDue = expiryUrgency(license, now) !== 'none';
      const said = [businessTimeZoneInUse(), now, portal.url] as const;
      const text = (isDue ? reminderMessage(told, ...said) : null) ?? keyMessage(told, ...said);
      const own = machines.filter((machine) => machine.license === id).slice(0, MACHINES_MAX);
      return [
        ...ASKED_VERBS.filter((verb) => can.includes(verb)).map((verb) => ({
          id: `${verb}-of-${id}`,
          label: texts[verb],
          title: `${texts[verb]} ${license_key}`,
          icon: ASKED[verb].icon,
          run: () =>
            void navigate({
              to: PATHS.license,
              params: { id: String(id) },
              search: { accion: ASKED[verb].question },
            }),
        })),
        ...(can.includes('renew') && isOffered('payment_requests.create')
          ? [
              {
                id: `charge-of-${id}`,
                label: texts.charge,
                title: `${texts.charge} ${license_key}`,
                icon: HandCoins,
                run: () =>
                  void navigate({
                    to: PATHS.license,
                    params: { id: String(id) },
                    search: { accion: 'cobrar' },
                  }),
              },
            ]
          : []),
        {
          id: `checks-of-license-${id}`,
          label: checkTexts.see,
          title: checkTexts.seeOf(license_key),
          icon: Radio,
          run: () =>
            void navigate({
              to: PATHS.license,
              params: { id: String(id) },
              search: { tab: 'consultas' },
            }),
        },
        ...own
          .flatMap(installations)
          .map((verb) => ({ ...verb, id: `${verb.id}-of-${id}`, label: verb.title })),
        ...whatsapp(`chat-license-${id}`, client, client_phone, text),
      ];
    },
  };
}
