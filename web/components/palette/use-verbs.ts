import { CirclePause, CirclePlay, FilePlus2, HandCoins, MonitorOff, Radio, RefreshCw } from 'lucide-react';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { paletteVerbs as texts } from '../../text/es-palette.ts';
import { releaseTexts } from '../../text/es-release.ts';
import type { LicenseQuestion } from '../license/licenses-search.ts';
import { nameOfMachine, useReleaseSeat } from '../license/use-release-seat.ts';
import type { Hit, NamedRecord } from './named-record.ts';
import type { PaletteVerb } from './palette-options.ts';
import { useChatVerbs } from './use-chat-verbs.ts';

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
  const chat = useChatVerbs();

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

  const clients = ({ id, name, phone }: Hit<'clients'>): PaletteVerb[] => [
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
              void navigate({ to: PATHS.client, params: { id: String(id) }, search: { tab: 'consultas' } }),
          },
        ]
      : []),
    ...chat.clients({ id, name, phone }),
  ];

  const openLicense = (id: number, search: { accion: LicenseQuestion } | { tab: 'consultas' }) =>
    void navigate({ to: PATHS.license, params: { id: String(id) }, search });

  const asked = ({ id, license_key, can }: Hit<'licenses'>): PaletteVerb[] =>
    ASKED_VERBS.filter((verb) => can.includes(verb)).map((verb) => ({
      id: `${verb}-of-${id}`,
      label: texts[verb],
      title: `${texts[verb]} ${license_key}`,
      icon: ASKED[verb].icon,
      run: () => openLicense(id, { accion: ASKED[verb].question }),
    }));

  const checks = (id: number, licenseKey: string): PaletteVerb => ({
    id: `checks-of-license-${id}`,
    label: checkTexts.see,
    title: checkTexts.seeOf(licenseKey),
    icon: Radio,
    run: () => openLicense(id, { tab: 'consultas' }),
  });

  return {
    installations,
    clients,
    /** @param machines the machines in the same answer */
    licenses: (license: Hit<'licenses'>, machines: readonly Hit<'installations'>[]): PaletteVerb[] => {
      const { id, license_key, can } = license;
      const own = machines.filter((machine) => machine.license === id).slice(0, MACHINES_MAX);
      return [
        ...asked(license),
        ...(can.includes('renew') && isOffered('payment_requests.create')
          ? [
              {
                id: `charge-of-${id}`,
                label: texts.charge,
                title: `${texts.charge} ${license_key}`,
                icon: HandCoins,
                run: () => openLicense(id, { accion: 'cobrar' }),
              },
            ]
          : []),
        checks(id, license_key),
        ...own
          .flatMap(installations)
          .map((verb) => ({ ...verb, id: `${verb.id}-of-${id}`, label: verb.title })),
        ...chat.licenses(license),
      ];
    },
    /** The three buttons of a card: what the record's state asks for, its checks, how to answer (DESK-10). */
    ofCard: ({ kind, hit }: NamedRecord): PaletteVerb[] => {
      if (kind === 'clients') return clients(hit);
      if (kind === 'installations') {
        return [...installations(hit), checks(hit.license, hit.license_key), chat.installations(hit)];
      }
      return [...asked(hit).slice(0, 1), checks(hit.id, hit.license_key), ...chat.licenses(hit)];
    },
  };
}
