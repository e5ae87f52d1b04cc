import { create } from 'zustand';
import type { EmailTransport } from '../../contract/mail/email-transport.ts';
import { readStored, writeStored } from './storage.ts';

/**
 * Whether the server has a mail server. Without one, no text of the console may claim that a mail was delivered
 * (D011).
 */

const KEY = 'license_manager_email_transport';

const useEmailTransport = create<{ transport: EmailTransport }>()(() => ({ transport: 'smtp' }));

/** True if mails are only written to the outbox folder, because no mail server is configured. */
export const useMailIsStored = () => useEmailTransport(({ transport }) => transport === 'folder');

/** Like {@link useMailIsStored}, outside of a component. */
export const mailIsStored = () => useEmailTransport.getState().transport === 'folder';

/**
 * True if a sent mail was only written to the outbox folder. Earlier versions did not store this; their mails are
 * treated like mails sent today.
 */
export function useWasStored(transport: EmailTransport | null): boolean {
  const isStoredNow = useMailIsStored();
  return transport === null ? isStoredNow : transport === 'folder';
}

/** Applies the server's transport now, and stores it for later visits. Servers of earlier versions do not send it. */
export function adoptEmailTransport(transport: EmailTransport | undefined): void {
  if (transport === undefined || transport === useEmailTransport.getState().transport) return;
  writeStored(KEY, transport);
  useEmailTransport.setState({ transport });
}

/** Restores the transport of an earlier visit. Call it once, before the first screen. */
export function recallEmailTransport(): void {
  const stored = readStored(KEY);
  if (stored === 'smtp' || stored === 'folder') useEmailTransport.setState({ transport: stored });
}
