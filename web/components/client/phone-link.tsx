import { clientTexts } from '../../text/es-clients.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { PhoneText } from './phone-text.tsx';

/** A phone number that calls when it is pressed, and a button that copies it. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <Copyable text={phone} label={clientTexts.copy.phone}>
    <a className="inline-block min-h-6 hover:text-brand-text hover:underline" href={`tel:${phone}`}>
      <PhoneText phone={phone} />
    </a>
  </Copyable>
);
