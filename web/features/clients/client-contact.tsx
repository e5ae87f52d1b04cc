import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { isUnspecified, CLIENT_LABELS as LABELS } from '../../../contract/clients/clients.fields.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import { TAX_WORDS } from '../../../contract/clients/tax-words.ts';
import { ClientContacts } from '../../components/client/client-contacts.tsx';
import { EmailLink } from '../../components/client/email-link.tsx';
import { PhoneLink } from '../../components/client/phone-link.tsx';
import { PaymentsLink } from '../../components/payment/standing-requests.tsx';
import { ClientTypeBadge } from '../../components/record/badges.tsx';
import { MaybeUnspecified } from '../../components/record/maybe-unspecified.tsx';
import { MailsLink } from '../../components/record/record-links.tsx';
import { TagLinks } from '../../components/tags/tag-chips.tsx';
import { clientTexts } from '../../text/es-clients.ts';
import { recordPageTexts } from '../../text/es-record.ts';
import { formatDate } from '../../text/format.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';

interface ClientContactProps {
  client: ClientDetails;
  /** One beside the content, two in it. */
  columns: 1 | 2;
}

/** What one asks for on the phone: how to reach a client, and what to invoice (SEED-2.7-06 to -12, DESK-05). */
export const ClientContact = ({ client, columns }: ClientContactProps) => (
  <section aria-label={recordPageTexts.onThePhone} className="space-y-5">
    <Reached {...{ client, columns }} />
    <ClientContacts {...{ client, columns }} />
    <AdditionalInformation {...{ client, columns }} />
  </section>
);

const Reached = ({ client, columns }: ClientContactProps) => (
  <Facts columns={columns}>
    <Fact label={LABELS.phone}>
      <PhoneLink phone={client.phone} />
    </Fact>
    {client.phone_secondary && (
      <Fact label={LABELS.phone_secondary}>
        <PhoneLink phone={client.phone_secondary} />
      </Fact>
    )}
    <Fact label={LABELS.email}>
      <EmailLink email={client.email} shown={client.email_shown} />
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
    {client.website && (
      <Fact label={LABELS.website}>
        <WebsiteLink address={client.website} />
      </Fact>
    )}
    <Fact label={clientTexts.remindersShort}>{clientTexts.reminded(client.reminders)}</Fact>
    <Address client={client} />
  </Facts>
);

/** The parts of the address that were given, in the order of the specification (SEED-2.7-07). */
function Address({ client }: { client: ClientDetails }) {
  const { postal_code, country } = client;
  const lines = [
    [client.address],
    [client.city, client.state],
    [postal_code === CLIENT_DEFAULTS.postal_code ? '' : postal_code, country],
  ].map((parts) => parts.filter((part) => !isUnspecified(part)).join(', '));
  if (lines.every((line) => line === '')) return null;
  return (
    <Fact label={LABELS.address} wide>
      <address className="not-italic">
        {lines
          .filter((line) => line !== '')
          .map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
      </address>
    </Fact>
  );
}

/** Shown if there is a contact person, notes or tax data. Lines without a value are omitted (D095). */
function AdditionalInformation({ client, columns }: ClientContactProps) {
  const taxData = TAX_FIELDS.filter((field) => client[field] !== '');
  const contact = isUnspecified(client.contact_person) ? '' : client.contact_person;
  const hasAny = contact || client.notes || client.tax_id || client.external_id || client.tags.length > 0;
  if (!hasAny && taxData.length === 0) return null;
  return (
    <section className="border-t border-border pt-5">
      <h3 className="mb-3 text-sm font-semibold">{clientTexts.additional}</h3>
      <Facts columns={columns}>
        {contact && <Fact label={LABELS.contact_person}>{contact}</Fact>}
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
        {client.tags.length > 0 && (
          <Fact label={LABELS.tags} wide>
            <TagLinks on="clients" tags={client.tags} />
          </Fact>
        )}
        {client.external_id && (
          <Fact label={LABELS.external_id}>
            <Copyable text={client.external_id} label={clientTexts.copy.externalId} />
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
