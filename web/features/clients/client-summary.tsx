import { Fragment, type ReactNode, type Ref } from 'react';
import { isUnspecified, CLIENT_LABELS as LABELS } from '../../../contract/clients/clients.fields.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import { TAX_WORDS } from '../../../contract/clients/tax-words.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { PhoneText } from '../../components/client/phone-text.tsx';
import { PaymentsLink, StandingRequests } from '../../components/payment/standing-requests.tsx';
import { ClientTypeBadge } from '../../components/record/badges.tsx';
import { MaybeUnspecified } from '../../components/record/maybe-unspecified.tsx';
import { RecentEvents } from '../../components/record/recent-events.tsx';
import { MailsLink } from '../../components/record/record-links.tsx';
import { TagLinks } from '../../components/tags/tag-chips.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { formatDate, formatNumber } from '../../text/format.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import type { AskOfClient } from './ask-of-client.ts';
import { ClientGlance } from './client-glance.tsx';
import { ClientPortal } from './client-portal.tsx';
import { ClientPrivacy } from './client-privacy.tsx';
import type { ClientTab } from './clients-search.ts';

interface ClientSummaryProps {
  client: ClientDetails;
  licenses: readonly License[];
  installations: readonly Installation[];
  onTab: (tab: ClientTab) => void;
  onAsk: AskOfClient;
  /** The element of the button 'Ver historial'. */
  historyRef: Ref<HTMLButtonElement>;
}

/**
 * Tab 'Resumen': counts, licences and installations, contact and the latest events (SEED-2.7-06 to -12, LIST-04). Name
 * and status are in the dialog's header.
 */
export function ClientSummary({
  client,
  licenses,
  installations,
  onTab,
  onAsk,
  historyRef,
}: ClientSummaryProps) {
  return (
    <div className="space-y-6">
      <Counters client={client} />
      <ClientGlance client={client} licenses={licenses} installations={installations} onTab={onTab} />
      <StandingRequests of={{ client: client.id }} phone={client.phone} />
      <Facts>
        <Fact label={LABELS.email}>
          <Copyable text={client.email} label={clientTexts.copy.email}>
            <a
              className="inline-block min-h-6 hover:text-brand-text hover:underline"
              href={`mailto:${client.email}`}
            >
              {client.email_shown ?? client.email}
            </a>
          </Copyable>
          {!client.email_verified && !client.is_system && (
            <span className="mt-0.5 block text-xs text-warning-text">{clientTexts.unverified}</span>
          )}
          {client.email_bounced_at && (
            <span className="mt-0.5 block text-xs text-critical-text">
              {clientTexts.bounced(formatDate(client.email_bounced_at))}
            </span>
          )}
          <span className="flex flex-wrap gap-x-3">
            <MailsLink of={{ client: client.id }} className="inline-block min-h-6 text-xs" />
            <PaymentsLink of={{ client: client.id }} className="inline-block min-h-6 text-xs" />
          </span>
        </Fact>
        <Fact label={LABELS.company}>
          <MaybeUnspecified>{client.company}</MaybeUnspecified>
        </Fact>
        <Fact label={LABELS.client_type}>
          <ClientTypeBadge type={client.client_type} />
        </Fact>
        <Fact label={LABELS.phone}>
          <PhoneLink phone={client.phone} />
        </Fact>
        {client.phone_secondary && (
          <Fact label={LABELS.phone_secondary}>
            <PhoneLink phone={client.phone_secondary} />
          </Fact>
        )}
        {client.website && (
          <Fact label={LABELS.website}>
            <WebsiteLink address={client.website} />
          </Fact>
        )}
        <Fact label={clientTexts.remindersShort}>{clientTexts.reminded(client.reminders)}</Fact>
        <Fact label={LABELS.address} wide>
          <address className="not-italic">
            <span className="block">
              <MaybeUnspecified>{client.address}</MaybeUnspecified>
            </span>
            <span className="block">
              <Together first={client.city} second={client.state} />
            </span>
            <span className="block">
              <Together first={client.postal_code} second={client.country} />
            </span>
          </address>
        </Fact>
      </Facts>
      <AdditionalInformation client={client} />
      <div className="border-t border-border pt-5">
        <RecentEvents
          of={{ client: client.id }}
          onHistory={() => onTab('historial')}
          historyRef={historyRef}
        />
      </div>
      <ClientPortal client={client} />
      <ClientPrivacy client={client} onAsk={onAsk} />
    </div>
  );
}

function Counters({ client }: { client: ClientDetails }) {
  const { counters } = clientTexts;
  return (
    <dl className="grid grid-cols-[1fr_1fr_auto] sm:grid-cols-3 divide-x divide-border rounded-xl border border-border max-[24rem]:grid-cols-1 max-[24rem]:divide-x-0 max-[24rem]:divide-y">
      <Counter label={counters.licenses}>{formatNumber(client.license_count ?? 0)}</Counter>
      <Counter label={counters.installations}>{formatNumber(client.installation_count ?? 0)}</Counter>
      <Counter label={counters.since}>{formatDate(client.created_at)}</Counter>
    </dl>
  );
}

function Counter({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end px-4 py-3 max-sm:px-3">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="whitespace-nowrap text-xl font-semibold max-sm:text-base">{children}</dd>
    </div>
  );
}

/** Shown if there is a contact person, notes or tax data. Lines without a value are omitted (D095). */
function AdditionalInformation({ client }: { client: ClientDetails }) {
  const taxData = TAX_FIELDS.filter((field) => client[field] !== '');
  const hasAny =
    client.contact_person || client.notes || client.tax_id || client.external_id || client.tags.length > 0;
  if (!hasAny && taxData.length === 0) return null;
  return (
    <section className="border-t border-border pt-5">
      <h3 className="mb-3 text-sm font-semibold">{clientTexts.additional}</h3>
      <Facts>
        {client.contact_person && (
          <Fact label={LABELS.contact_person}>
            <MaybeUnspecified>{client.contact_person}</MaybeUnspecified>
          </Fact>
        )}
        {client.contact_position && <Fact label={LABELS.contact_position}>{client.contact_position}</Fact>}
        {client.tax_id && (
          <Fact label={LABELS.tax_id}>
            <Copyable text={client.tax_id} label={clientTexts.copy.taxId} />
            {taxIdWarnings(client.country, client.tax_id).map((warning) => (
              <span key={warning} className="mt-0.5 block text-xs text-warning-text">
                {warning}
              </span>
            ))}
          </Fact>
        )}
        {taxData.map((field) => (
          <Fact key={field} label={LABELS[field]}>
            {TAX_WORDS[field][client[field]]}
          </Fact>
        ))}
        {client.external_id && (
          <Fact label={LABELS.external_id}>
            <Copyable text={client.external_id} label={clientTexts.copy.externalId} />
          </Fact>
        )}
        {client.tags.length > 0 && (
          <Fact label={LABELS.tags} wide>
            <TagLinks on="clients" tags={client.tags} />
          </Fact>
        )}
        {client.last_contact && (
          <Fact label={LABELS.last_contact}>
            <time dateTime={client.last_contact}>{formatDate(client.last_contact)}</time>
          </Fact>
        )}
        {client.notes && (
          <Fact label={LABELS.notes} wide>
            <span className="whitespace-pre-line">{client.notes}</span>
          </Fact>
        )}
      </Facts>
    </section>
  );
}

const TAX_FIELDS = ['tax_regime', 'cfdi_use', 'tax_condition'] as const;

function PhoneLink({ phone }: { phone: string }) {
  return (
    <Copyable text={phone} label={clientTexts.copy.phone}>
      <a className="hover:text-brand-text hover:underline" href={`tel:${phone}`}>
        <PhoneText phone={phone} />
      </a>
    </Copyable>
  );
}

/** Only http and https addresses become links: a `javascript:` address in an older record must not run. */
function WebsiteLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address;
  return (
    <a
      className="text-brand-text underline-offset-2 hover:underline"
      href={address}
      target="_blank"
      rel="noreferrer"
    >
      {address}
    </a>
  );
}

/** City and state: 'Puebla, Puebla' is shown as it is, but 'Sin especificar' only once. */
function Together({ first, second }: { first: string; second: string }) {
  const parts = isUnspecified(first) && first === second ? [first] : [first, second].filter(Boolean);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two texts that may be equal and never change places
    <Fragment key={index}>
      {index > 0 && ', '}
      <MaybeUnspecified>{part}</MaybeUnspecified>
    </Fragment>
  ));
}
