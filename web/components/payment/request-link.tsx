import type { ReactNode } from 'react';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';

interface RequestLinkProps {
  id: number;
  look?: 'text' | 'button';
  onClick?: () => void;
  children: ReactNode;
}

/** A link to a payment request. */
export const RequestLink = ({ id, look = 'text', onClick, children }: RequestLinkProps) => (
  <Link
    to={PATHS.paymentRequest}
    params={{ id: String(id) }}
    preload={false}
    onClick={onClick}
    className={
      look === 'button'
        ? buttonClass('secondary')
        : 'rounded-sm text-brand-text underline-offset-2 hover:underline'
    }
  >
    {children}
  </Link>
);
