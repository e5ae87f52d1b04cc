import { PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import type { SettingsAnswer } from '../../../contract/settings/settings.ts';
import { FormInputs } from '../../components/record/form-section.tsx';
import { portalWording, portalSettingsTexts as texts } from '../../text/es-portal-settings.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import {
  featuresOf,
  PORTAL_ACCESS,
  PORTAL_FORM,
  PORTAL_SWITCHES,
  type PortalForm,
  portalSchema,
} from './portal.form.ts';
import { PortalPreview } from './portal-preview.tsx';
import { SettingsForm, StoredSettings, useSettingsForm } from './settings-form.tsx';

/** 'Portal': whether clients can sign in, and what they can do there (PORTAL-01, PORTAL-05). */
export const PortalSection = () => (
  <StoredSettings>{(stored) => <PortalFields settings={stored} />}</StoredSettings>
);

/** The portal's address. If the portal has a separate host, this address redirects to it (PORTAL-07). */
const portalAddress = () => window.location.origin + PORTAL_PATH;

function PortalFields({ settings }: { settings: SettingsAnswer }) {
  const record = useSettingsForm<PortalForm>(settings, {
    ...PORTAL_FORM,
    schema: () => portalSchema,
    name: 'settings/portal',
  });
  const typed = record.form.watch();
  return (
    <SettingsForm record={record}>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-6">
          <Card title={texts.access}>
            <div className="space-y-5">
              <FormInputs fields={PORTAL_ACCESS} record={record} />
            </div>
          </Card>
          <Card title={texts.offers}>
            <div className="space-y-4">
              <FormInputs fields={PORTAL_SWITCHES} record={record} />
            </div>
          </Card>
          <AddressCard />
        </div>
        <PortalPreview
          settings={settings}
          isOpen={typed.portal_enabled}
          supportEmail={typed.support_email.trim()}
          features={featuresOf(typed)}
        />
      </div>
    </SettingsForm>
  );
}

/** The address of the portal, for the vendor to pass on to clients. */
function AddressCard() {
  const url = portalAddress();
  return (
    <Card title={texts.address}>
      <div className="space-y-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 font-mono wrap-anywhere">{url}</p>
          <CopyButton text={url} label={texts.copyAddress} copiedLabel={texts.copied} />
        </div>
        <div>
          <h3 className="font-medium">{texts.wording}</h3>
          <p className="text-xs text-muted">{texts.wordingHelp}</p>
          <p className="mt-2 rounded-lg bg-sunken px-4 py-3">{portalWording(url)}</p>
          <div className="mt-3">
            <CopyButton text={portalWording(url)} label={texts.copyWording} copiedLabel={texts.copied} />
          </div>
        </div>
      </div>
    </Card>
  );
}
