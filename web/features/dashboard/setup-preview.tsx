import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import type { SetupStep } from '../../../contract/settings/setup-steps.ts';
import { useMay } from '../../api/permissions.ts';
import { settingsQuery } from '../../components/settings/settings.api.ts';
import { formatPrice, vendorCurrency } from '../../text/format.ts';
import { setupTexts, previewTexts as texts } from './setup-texts.ts';

/** Mails and the client's pages have a white background, whatever the theme of the console. */
const PAPER: CSSProperties = { backgroundColor: '#f4f5f7', color: '#1c2330' };
const SHEET: CSSProperties = { backgroundColor: '#ffffff' };
const QUIET: CSSProperties = { color: '#596273' };

/** Until the vendor has a name, and for people who may not read the settings. */
const NO_LOOK = { vendor_name: 'Tu empresa', accent_color: '#0f766e' };
const PROGRAM_NAME = 'License Manager';

/** A small picture of what a step makes for the client, with the vendor's name and colour as they are now (DESK-06). */
export function SetupPreview({ step }: { step: SetupStep }) {
  const { data } = useQuery({ ...settingsQuery, enabled: useMay()('settings:read') });
  const { vendor_name, accent_color: color } = data ?? NO_LOOK;
  const name = vendor_name === PROGRAM_NAME ? NO_LOOK.vendor_name : vendor_name;
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 text-xs font-medium text-muted">
        {step === 'team' ? setupTexts.previewTeam : setupTexts.preview}
      </figcaption>
      <div className="rounded-lg border border-border p-3 text-xs/4.5" style={PAPER}>
        {DRAWN[step]({ name, color })}
      </div>
    </figure>
  );
}

interface Look {
  name: string;
  color: string;
}

const Sheet = ({ name, color, children }: Look & { children: ReactNode }) => (
  <div className="space-y-2 rounded-md border-t-4 p-3" style={{ ...SHEET, borderTopColor: color }}>
    <p className="text-sm font-semibold wrap-anywhere">{name}</p>
    {children}
  </div>
);

const Pressed = ({ color, children }: { color: string; children: ReactNode }) => (
  <p>
    <span
      className="inline-block rounded-md px-3 py-1.5 font-semibold"
      style={{ backgroundColor: color, color: '#ffffff' }}
    >
      {children}
    </span>
  </p>
);

const Quiet = ({ children }: { children: ReactNode }) => <p style={QUIET}>{children}</p>;

const mail = ({ name, color }: Look) => (
  <Sheet name={name} color={color}>
    <p>{texts.greeting}</p>
    <p>{texts.key}</p>
    <Pressed color={color}>{texts.open}</Pressed>
  </Sheet>
);

const DRAWN: Readonly<Record<SetupStep, (look: Look) => ReactNode>> = {
  company: mail,
  mail: (look) => (
    <div className="space-y-2">
      <Quiet>
        <span className="block wrap-anywhere">{texts.from(look.name)}</span>
        <span className="block">{texts.subject}</span>
      </Quiet>
      <Sheet {...look}>
        <p>{texts.key}</p>
      </Sheet>
    </div>
  ),
  payments: ({ name, color }) => (
    <Sheet name={name} color={color}>
      <p className="flex flex-wrap justify-between gap-x-3">
        <span>{texts.order}</span>
        <span className="font-semibold">{formatPrice(1200, vendorCurrency())}</span>
      </p>
      <Pressed color={color}>{texts.pay}</Pressed>
      <p className="underline">{texts.transfer}</p>
    </Sheet>
  ),
  software: ({ name, color }) => (
    <Sheet name={name} color={color}>
      <p className="font-semibold">{texts.product}</p>
      <Quiet>{texts.productLine}</Quiet>
    </Sheet>
  ),
  license_types: ({ name, color }) => (
    <Sheet name={name} color={color}>
      <p className="font-semibold">{texts.order}</p>
      <Quiet>{texts.orderTerms}</Quiet>
      <p className="font-semibold">{formatPrice(1200, vendorCurrency())}</p>
    </Sheet>
  ),
  clients: ({ name, color }) => (
    <Sheet name={name} color={color}>
      <p className="font-semibold">{texts.licenses}</p>
      <p>{texts.order}</p>
      <Quiet>{texts.ends}</Quiet>
    </Sheet>
  ),
  integration: ({ color }) => (
    <Sheet name={texts.window} color={color}>
      <p>{texts.askKey}</p>
      <p className="rounded border px-2 py-1 font-mono" style={{ borderColor: '#858d9b' }} translate="no">
        {texts.keySample}
      </p>
      <Pressed color={color}>{texts.activate}</Pressed>
    </Sheet>
  ),
  team: ({ name, color }) => (
    <Sheet name={name} color={color}>
      <p>{texts.invited(name)}</p>
      <Quiet>{texts.invitedText}</Quiet>
      <Pressed color={color}>{texts.accept}</Pressed>
    </Sheet>
  ),
};
