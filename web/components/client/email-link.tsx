import { clientTexts } from '../../text/es-clients.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Copyable } from '../../ui/copyable.tsx';

interface EmailLinkProps {
  email: string;
  /** The address as people read it, if it differs. */
  shown?: string | undefined;
}

/** An address that writes a mail when it is pressed, and a button that copies it. */
export const EmailLink = ({ email, shown = email }: EmailLinkProps) => (
  <Copyable text={email} label={clientTexts.copy.email}>
    <a className="inline-block min-h-6 hover:text-brand-text hover:underline" href={`mailto:${email}`}>
      <Breakable>{shown}</Breakable>
    </a>
  </Copyable>
);
