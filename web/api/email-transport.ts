import { create } from 'zustand';
import type { EmailTransport } from '../../contract/mail/email-transport.ts';
import { readStored, writeStored } from './storage.ts';

/** Whether the server has a mail server: without one, no text may read as if a mail had arrived (D011). */

const KEY = 'license_manager_email_transport';

const useEmailTransport = create<{ transport: EmailTransport }>()(() => ({ transport: 'smtp' }));

/** Whether mail is only stored in the outbox folder, because there is no mail server. */
export const useMailIsStored = () => useEmailTransport(({ transport }) => transport === 'folder');

/** The same outside of a component. */
export const mailIsStored = () => useEmailTransport.getState().transport === 'folder';

/** Whether a mail that left was only stored. Mail of earlier versions does not say: it counts as one of today. */
export function useWasStored(transport: EmailTransport | null): boolean {
  const isStoredNow = useMailIsStored();
  return transport === null ? isStoredNow : transport === 'folder';
}

/** Uses what the server says from now on, and in later visits from the start; an older server says nothing. */
export function adoptEmailTransport(transport: EmailTransport | undefined): void {
  if (transport === undefined || transport === useEmailTransport.getState().transport) return;
  writeStored(KEY, transport);
  useEmailTransport.setState({ transport });
}

/** Restores what an earlier visit knew; call it once, before the first screen. */
export function recallEmailTransport(): void {
  const stored = readStored(KEY);
  if (stored === 'smtp' || stored === 'folder') useEmailTransport.setState({ transport: stored });
}
