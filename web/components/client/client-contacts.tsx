import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { contactTexts as texts } from '../../text/es-contacts.ts';
import { formatDate } from '../../text/format.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { cx } from '../../ui/cx.ts';
import { PhoneText } from './phone-text.tsx';

/** A client as a page shows its contacts. A server that implements only the specification sends none. */
type WithContacts = Partial<Pick<ClientDetails, 'contacts' | 'contacts_bounced'>>;

/**
 * The contacts of a client with what each receives, each address and phone a link (DESK-04). Nothing without contacts.
 */
export function ClientContacts({ client, columns }: { client: WithContacts; columns: 1 | 2 }) {
  const { contacts = [], contacts_bounced: bounced = [] } = client;
  if (contacts.length === 0) return null;
  return (
    <section className="border-t border-border pt-5">
      <h3 className="mb-3 text-sm font-semibold">{texts.title}</h3>
      <ul className={cx('grid gap-4', columns === 2 && 'sm:grid-cols-2')}>
        {contacts.map((contact) => (
          <OneContact
            key={contact.email}
            contact={contact}
            bouncedAt={bounced.find(({ email }) => email === contact.email)?.bounced_at}
          />
        ))}
      </ul>
    </section>
  );
}

function OneContact({ contact, bouncedAt }: { contact: Contact; bouncedAt: string | undefined }) {
  const { name, email, phone } = contact;
  return (
    <li className="min-w-0 wrap-anywhere">
      <p className="font-medium">
        <bdi>{name}</bdi>
      </p>
      <div>
        <Copyable text={email} label={texts.copyEmail(name)}>
          <a className="inline-block min-h-6 hover:text-brand-text hover:underline" href={`mailto:${email}`}>
            <Breakable>{shownMailAddress(email)}</Breakable>
          </a>
        </Copyable>
      </div>
      {phone !== '' && (
        <div>
          <Copyable text={phone} label={texts.copyPhone(name)}>
            <a className="inline-block min-h-6 hover:text-brand-text hover:underline" href={`tel:${phone}`}>
              <PhoneText phone={phone} />
            </a>
          </Copyable>
        </div>
      )}
      <p className="text-xs text-muted">{texts.gets(contact)}</p>
      {bouncedAt !== undefined && (
        <p className="text-xs text-critical-text">{texts.bounced(formatDate(bouncedAt))}</p>
      )}
    </li>
  );
}
