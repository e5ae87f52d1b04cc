import { CLIENT_LABELS } from '../../../contract/clients/clients.fields.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { EmailLink } from '../../components/client/email-link.tsx';
import { PhoneLink } from '../../components/client/phone-link.tsx';
import { CourtesyBadge, LicenseCategoryBadge } from '../../components/record/badges.tsx';
import { LicenseTypeName, RecordLink } from '../../components/record/record-links.tsx';
import { licenseTexts } from '../../text/es-licenses.ts';
import { recordPageTexts } from '../../text/es-record.ts';
import { Fact, Facts } from '../../ui/facts.tsx';

/** What one asks for on the phone: whose licence it is, how to reach them, and what it is for (DESK-05). */
export const LicenseContact = ({ license, columns }: { license: License; columns: 1 | 2 }) => (
  <Facts columns={columns}>
    <Fact label={LABELS.client}>
      <RecordLink kind="clients" id={license.client.id} className="font-medium">
        {license.client_name}
      </RecordLink>
    </Fact>
    {license.client_phone && (
      <Fact label={recordPageTexts.phone}>
        <PhoneLink phone={license.client_phone} />
      </Fact>
    )}
    <Fact label={CLIENT_LABELS.email}>
      <EmailLink email={license.client_email} shown={license.client_email_shown} />
    </Fact>
    <Fact label={LABELS.software}>
      <RecordLink kind="software" id={license.software.id} className="block font-medium">
        {license.software_name}
      </RecordLink>
      <span className="text-xs text-muted">{license.software_version}</span>
    </Fact>
    <Fact label={licenseTexts.columns.type}>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <LicenseCategoryBadge category={license.license_type} />
        {license.complimentary && <CourtesyBadge />}
        <LicenseTypeName license={license} />
      </span>
    </Fact>
  </Facts>
);
