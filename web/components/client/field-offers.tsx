import type { ReactNode } from 'react';
import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { PHONE_PATTERN, withPlus } from '../../../contract/clients/clients.fields.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { mailSuggestion } from '../../../contract/reading/mail-suggestions.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { useSettled } from '../record/use-settled.ts';
import { PhoneText } from './phone-text.tsx';
import { usePhones } from './use-phones.ts';

/** What stands under a field whose value was probably meant otherwise: whose it is, and a button that puts in the other. */

interface OfferProps {
  /** Before the button: what is wrong. */
  children?: ReactNode;
  /** The value that the button puts in; null: no button. */
  value: string | null;
  /** How the value is shown. Default: as it is. */
  shown?: ReactNode;
  onUse: (value: string) => void;
}

/** A sentence, and the button that replaces the value of the field above. */
export const Offer = ({ children, value, shown = value, onUse }: OfferProps) => (
  <span className="flex flex-wrap items-center gap-x-1.5">
    {children && <span>{children}</span>}
    {children && value !== null && <span aria-hidden>·</span>}
    {value !== null && (
      <TextButton onClick={() => onUse(value)}>
        {clientTexts.use} {shown}
      </TextButton>
    )}
  </span>
);

/** The country that a form will store: a blank one becomes the default. */
export const storedCountry = (country: string) => country.trim() || CLIENT_DEFAULTS.country;

interface PhoneField {
  typed: string;
  country: string;
  /** The second phone is stored as typed, any text; the first must obey the specification's rule (D047). */
  isSecond?: true;
  onUse: (phone: string) => void;
}

/**
 * What stands in amber under a phone, after a pause in typing: whose number it is, and the client's country's number
 * that was meant (INPUT-02). For what the rule refuses only the latter, under its message. Null for nothing.
 */
export function usePhoneOffer({ typed, country, isSecond, onUse }: PhoneField): ReactNode {
  const text = typed.trim();
  const phones = usePhones(text !== '');
  const isSettled = useSettled(`${country}\n${text}`);
  if (phones === null || !isSettled || text === '') return null;
  const from = storedCountry(country);
  const isRefused = !isSecond && !PHONE_PATTERN.test(text);
  const stored = isSecond || isRefused ? text : withPlus(text);
  const advice = phones.phoneAdvice(text, stored, from);
  const meant = isRefused ? phones.phoneIn(text, from) : (advice?.suggestion ?? null);
  // A second phone without a plus names no country.
  const whose = isRefused || !stored.startsWith('+') ? null : whoseOf(advice, meant);
  if (meant === null && whose === null) return null;
  return (
    <Offer value={meant} shown={meant && <PhoneText phone={meant} />} onUse={onUse}>
      {whose !== null && (
        <>
          <PhoneText phone={stored} /> {whose}
        </>
      )}
    </Offer>
  );
}

type Advice = { owner: string | null; country: string | null } | null;

function whoseOf(advice: Advice, meant: string | null): string | null {
  if (advice === null) return null;
  if (advice.owner !== null) return clientTexts.isOf(advice.owner);
  return meant !== null && advice.country !== null ? clientTexts.isNoneOf(advice.country) : null;
}

interface MailField {
  typed: string;
  onUse: (email: string) => void;
}

/** What stands in amber under a mail address with a slip in its domain, after a pause in typing (INPUT-14). */
export function useMailOffer({ typed, onUse }: MailField): ReactNode {
  const isSettled = useSettled(typed);
  const meant = isSettled ? mailSuggestion(typed) : null;
  if (meant === null) return null;
  return (
    <Offer value={shownMailAddress(meant)} onUse={onUse}>
      {clientTexts.isMailRight}
    </Offer>
  );
}
