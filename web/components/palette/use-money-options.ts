import { BadgeCheck, HandCoins } from 'lucide-react';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { requestConcept } from '../../../contract/payments/payment-words.ts';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { registerTexts } from '../../text/es-charges.ts';
import { CHARGE_VERB, paletteVerbs } from '../../text/es-palette.ts';
import { formatPrice } from '../../text/format.ts';
import { useMayRegister } from '../payment/may-register.ts';
import type { PaletteGroup, PaletteOption } from './palette-options.ts';

type FoundLicense = NonNullable<SearchAnswer['licenses']>['results'][number];

const renewable = ({ licenses }: SearchAnswer): FoundLicense[] =>
  (licenses?.results ?? []).filter(({ can }) => can.includes('renew'));

const ofLicense = ({ client, software_name }: FoundLicense) => `${client.name} · ${software_name}`;

/** What 'cobrar' and 'registrar pago' offer for the client or the licence that is typed after them (MONEY-13). */
export function useMoneyOptions() {
  const navigate = useNavigate();
  const isOffered = useOffers();
  const mayRegister = useMayRegister();
  /** Opens a licence with the dialog of one of its actions. */
  const ask = (id: number, accion: 'cobrar' | 'renovar') =>
    void navigate({ to: PATHS.license, params: { id: String(id) }, search: { accion } });

  return {
    /** The found clients and licences, which can be asked to pay. */
    charges: (answer: SearchAnswer): PaletteGroup[] => {
      if (!isOffered('payment_requests.create')) return [];
      const clients = (answer.clients?.results ?? []).map(
        ({ id, name, email, email_shown = email }): PaletteOption => ({
          id: `charge-client-${id}`,
          title: paletteVerbs.chargeTo(name),
          detail: email_shown,
          icon: HandCoins,
          run: () => void navigate({ to: PATHS.payments, search: { nuevo: '1', cliente: id } }),
        }),
      );
      const licenses = renewable(answer).map(
        (license): PaletteOption => ({
          id: `charge-license-${license.id}`,
          title: `${CHARGE_VERB} ${license.license_key}`,
          detail: ofLicense(license),
          icon: HandCoins,
          run: () => ask(license.id, 'cobrar'),
        }),
      );
      return [{ key: 'money', options: [...clients, ...licenses] }];
    },
    /**
     * The open requests whose payment can be noted, and the licences without one, whose renewal says that it was paid
     * (MONEY-05).
     */
    payments: (answer: SearchAnswer, requests: readonly PaymentRequest[]): PaletteGroup[] => {
      if (!mayRegister) return [];
      const asked = new Set(requests.flatMap(({ lines }) => lines.map(({ license }) => license?.id)));
      const open = requests.map(({ id, client, due, currency, lines }): PaletteOption => {
        const parts = [formatPrice(due, currency), requestConcept(id), lines[0]?.description];
        return {
          id: `pay-request-${id}`,
          title: registerTexts.of(client.name),
          detail: parts.filter(Boolean).join(' · '),
          icon: BadgeCheck,
          run: () => void navigate({ to: PATHS.payments, search: { registrar: id } }),
        };
      });
      const others = renewable(answer)
        .filter(({ id }) => !asked.has(id))
        .map(
          (license): PaletteOption => ({
            id: `pay-license-${license.id}`,
            title: registerTexts.of(license.license_key),
            detail: `${ofLicense(license)} · ${registerTexts.withoutRequest}`,
            icon: BadgeCheck,
            run: () => ask(license.id, 'renovar'),
          }),
        );
      return [{ key: 'money', options: [...open, ...others] }];
    },
  };
}
