import type { ReactNode } from 'react';
import { type ClientDetails, isUnspecified } from '../../../contract/clients.ts';
import { ClientStatusBadge, ClientTypeBadge } from '../../components/badges.tsx';
import { clientTexts, CLIENT_FIELD_LABELS as LABELS } from '../../text/es-clients.ts';
import { formatDate, formatNumber, initialsOf } from '../../text/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';

/** Tab 'Resumen': the client's data, contact and counts (SEED-2.7-06 to -12). */
export function ClientSummary({ client }: { client: ClientDetails }) {
  return (
    <div className="space-y-6">
      <div className="flex items-center gap-4">
        <Avatar size="lg" initials={initialsOf(client.name)} />
        <div className="min-w-0 flex-1">
          <p className="text-base font-semibold wrap-anywhere">{client.name}</p>
          <p className="wrap-anywhere text-muted">
            <a className="hover:text-brand-text hover:underline" href={`mailto:${client.email}`}>
              {client.email}
            </a>
          </p>
        </div>
        <ClientStatusBadge status={client.status} />
      </div>
      <Counters client={client} />
      <Facts>
        <Fact label={LABELS.company}>{client.company}</Fact>
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
        <Fact label={LABELS.address} wide>
          <address className="not-italic">
            <span className="block">{client.address}</span>
            <span className="block">{together(client.city, client.state)}</span>
            <span className="block">{together(client.postal_code, client.country)}</span>
          </address>
        </Fact>
      </Facts>
      <AdditionalInformation client={client} />
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

/** Shown when there is a contact person, notes or a tax id; lines without a value are left out (D095). */
function AdditionalInformation({ client }: { client: ClientDetails }) {
  if (!client.contact_person && !client.notes && !client.tax_id) return null;
  return (
    <section className="border-t border-border pt-5">
      <h3 className="mb-3 text-sm font-semibold">{clientTexts.additional}</h3>
      <Facts>
        {client.contact_person && <Fact label={LABELS.contact_person}>{client.contact_person}</Fact>}
        {client.contact_position && <Fact label={LABELS.contact_position}>{client.contact_position}</Fact>}
        {client.tax_id && <Fact label={LABELS.tax_id}>{client.tax_id}</Fact>}
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

function PhoneLink({ phone }: { phone: string }) {
  return (
    <a className="hover:text-brand-text hover:underline" href={`tel:${phone}`}>
      {phone}
    </a>
  );
}

/** Only http and https become a link: a `javascript:` address in an older record must not run. */
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

/** 'Puebla, Puebla' stays; 'Sin especificar, Sin especificar' is shown once. */
function together(first: string, second: string): string {
  const parts = [first, second].filter(Boolean);
  return (isUnspecified(first) && first === second ? parts.slice(0, 1) : parts).join(', ');
}
