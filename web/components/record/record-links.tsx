import type { ReactNode } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { type MainKind, RECORD_KINDS } from '../../record-kinds.ts';
import { seeMails } from '../../text/es.ts';
import { Code } from '../../ui/code.tsx';
import { cx } from '../../ui/cx.ts';

const LINK = 'rounded-sm text-brand-text underline-offset-2 hover:underline';

interface RecordLinkProps {
  kind: MainKind;
  id: number;
  className?: string | undefined;
  children: ReactNode;
}

/** A link to the details of a record, used wherever the record's name is shown. */
export function RecordLink({ kind, id, className, children }: RecordLinkProps) {
  const { list, one } = RECORD_KINDS[kind];
  const look = { preload: false, className: cx(LINK, className), children: <bdi>{children}</bdi> } as const;
  if (one === null) return <Link to={list} search={{ ver: id }} {...look} />;
  return <Link to={one} params={{ id: String(id) }} {...look} />;
}

/** 'Ver correos': the link to the mails about a licence or to a client. */
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

/** A link to a licence, with its key as text. */
export const LicenseLink = ({ id, licenseKey, className }: LicenseLinkProps) => (
  <RecordLink kind="licenses" id={id} className={className}>
    <Code>{licenseKey}</Code>
  </RecordLink>
);

/** The name of the licence's type, as a link to its details. A deleted type has no link. */
export function LicenseTypeName({
  license: { license_type_config: id, license_type_name: name },
}: {
  license: Pick<LicenseRow, 'license_type_config' | 'license_type_name'>;
}) {
  if (!name) return null;
  return id === null ? (
    <bdi>{name}</bdi>
  ) : (
    <RecordLink kind="license_types" id={id}>
      {name}
    </RecordLink>
  );
}
