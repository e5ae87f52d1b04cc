import type { ReactNode } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { seeMails } from '../../text/es.ts';
import { Code } from '../../ui/code.tsx';
import { cx } from '../../ui/cx.ts';

/** Links to the details of a record, wherever its name stands. */

const LINK = 'rounded-sm text-brand-text underline-offset-2 hover:underline';

interface RecordLinkProps {
  id: number;
  className?: string;
  children: ReactNode;
}

const params = (id: number) => ({ id: String(id) });

export const ClientLink = ({ id, className, children }: RecordLinkProps) => (
  <Link to={PATHS.client} params={params(id)} preload={false} className={cx(LINK, className)}>
    {children}
  </Link>
);

export const SoftwareLink = ({ id, className, children }: RecordLinkProps) => (
  <Link to={PATHS.softwareItem} params={params(id)} preload={false} className={cx(LINK, className)}>
    {children}
  </Link>
);

export const LicenseTypeLink = ({ id, className, children }: RecordLinkProps) => (
  <Link to={PATHS.licenseTypes} search={{ ver: id }} preload={false} className={cx(LINK, className)}>
    {children}
  </Link>
);

/** 'Ver correos': what was mailed about a licence or to a client. */
export const MailsLink = ({
  of,
  className,
}: {
  of: { license: number } | { client: number };
  className?: string;
}) =>
  useMay()('mails:read') && (
    <Link to={PATHS.mails} search={of} preload={false} className={cx(LINK, className)}>
      {seeMails}
    </Link>
  );

interface LicenseLinkProps {
  id: number;
  licenseKey: string;
  className?: string;
}

/** A licence is named by its key. */
export const LicenseLink = ({ id, licenseKey, className }: LicenseLinkProps) => (
  <Link to={PATHS.license} params={params(id)} preload={false} className={cx(LINK, className)}>
    <Code>{licenseKey}</Code>
  </Link>
);

/** The catalogue type's name; a type that was deleted has no details. */
export function LicenseTypeName({
  license: { license_type_config: id, license_type_name: name },
}: {
  license: Pick<LicenseRow, 'license_type_config' | 'license_type_name'>;
}) {
  if (!name) return null;
  return id === null ? <span>{name}</span> : <LicenseTypeLink id={id}>{name}</LicenseTypeLink>;
}
