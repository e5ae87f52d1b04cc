import { type ReactNode, useId } from 'react';
import type { Vendor } from '../../../contract/licenses/certificate.ts';
import type { PortalClient, PortalMe } from '../../../contract/portal/portal.ts';
import type { PortalLicense } from '../../../contract/portal/portal-licenses.ts';
import { PORTAL_VERBS, type PortalFeatures } from '../../../contract/portal/portal-words.ts';
import type { SettingsAnswer } from '../../../contract/settings/settings.ts';
import { logoAddress } from '../../components/settings/settings.api.ts';
import { LicenseActions } from '../../portal/license-actions.tsx';
import { FactsCard, LicenseHead } from '../../portal/license-page.tsx';
import { Machines } from '../../portal/machines.tsx';
import { DataForm } from '../../portal/my-data.tsx';
import { PageFrame } from '../../portal/page.tsx';
import { SessionProvider } from '../../portal/session.ts';
import { Support, VendorLook, VendorName } from '../../portal/shell.tsx';
import { portalTexts } from '../../text/es-portal.ts';
import { portalAccountTexts } from '../../text/es-portal-licenses.ts';
import { portalPreviewSample, portalSettingsTexts as texts } from '../../text/es-portal-settings.ts';
import './phone.css';

interface PortalPreviewProps {
  settings: SettingsAnswer;
  isOpen: boolean;
  supportEmail: string;
  features: PortalFeatures;
}

/**
 * A preview of the portal with the current switches, built from the portal's components and sample data. It cannot be
 * operated.
 */
export function PortalPreview({ settings, isOpen, supportEmail, features }: PortalPreviewProps) {
  const vendor: Vendor = {
    name: settings.vendor_name,
    support_email: supportEmail,
    accent_color: settings.accent_color,
    logo: settings.logo_updated_at === null ? null : logoAddress(settings.logo_updated_at),
  };
  const me: PortalMe = { client: null, vendor, features, contact: null, read_only: false };
  const license = exampleOf(features);
  const captionId = useId();
  return (
    <figure className="phone-figure min-w-0 space-y-1.5">
      <figcaption id={captionId} className="font-medium">
        {isOpen ? texts.preview : texts.previewOff}
      </figcaption>
      <Phone labelledBy={captionId}>
        {isOpen ? (
          <VendorLook vendor={vendor}>
            <div className="border-b border-border bg-surface px-4 py-3">
              <VendorName vendor={vendor} />
            </div>
            <div className="space-y-5 px-4 py-5">
              <SessionProvider value={{ me, readOnly: false }}>
                <LicenseHead license={license} />
                <Machines license={license} onReleased={() => {}} />
                <FactsCard license={license} />
                <LicenseActions license={license} onDone={() => {}} />
                {(features.tax_data || features.reminders) && (
                  <PageFrame heading="h3" title={portalAccountTexts.title}>
                    <DataForm client={CLIENT} features={features} disabled={false} onSaved={() => {}} />
                  </PageFrame>
                )}
              </SessionProvider>
              <Support vendor={vendor} />
            </div>
          </VendorLook>
        ) : (
          <div className="px-4 py-8">
            <PageFrame heading="h3" title={portalTexts.offTitle} lead={portalTexts.offText} />
          </div>
        )}
      </Phone>
    </figure>
  );
}

/**
 * A phone whose screen scrolls by itself, by wheel, finger or keyboard, while the switches beside it stay where they
 * are. What it shows cannot be operated.
 */
const Phone = ({ labelledBy, children }: { labelledBy: string; children: ReactNode }) => (
  <div className="phone-body border border-border-strong bg-sunken shadow-edge">
    <section
      aria-labelledby={labelledBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      className="phone-screen border border-border bg-page"
    >
      <div inert>{children}</div>
    </section>
  </div>
);

/** A sample client. */
const CLIENT: PortalClient = {
  name: '',
  company: '',
  email: '',
  contact_person: portalPreviewSample.contact,
  phone: '+525512345678',
  tax_id: '',
  tax_regime: '',
  cfdi_use: '',
  tax_condition: '',
  postal_code: '',
  reminders: true,
};

/** A sample licence with two machines on its two seats. */
function exampleOf(features: PortalFeatures): PortalLicense {
  const now = Date.now();
  const at = (days: number) => new Date(now + days * 24 * 60 * 60 * 1000).toISOString();
  const { software, key, machines } = portalPreviewSample;
  return {
    id: 0,
    license_key: key,
    software_name: software,
    software_version: '4.2',
    license_type_name: null,
    status: 'active',
    is_expired: false,
    in_grace: false,
    pending_start: false,
    issued_date: at(-150),
    expiry_date: at(215),
    days_remaining: 215,
    updates_until: null,
    seat_mode: 'fixed',
    max_installations: machines.length,
    current_installations: machines.length,
    can: PORTAL_VERBS.filter((verb) => features[verb]),
    pay: null,
    features: {},
    usage: [],
    installations: machines.map((name, index) => ({
      id: index,
      machine_name: name,
      machine_id: `caja-0${index + 1}`,
      installation_date: at(-140 + index),
      last_heartbeat: at(-index - 0.1),
      can_release: features.release,
      release_refusal: null,
      available_from: null,
    })),
  };
}
