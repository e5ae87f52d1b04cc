import { useQuery } from '@tanstack/react-query';
import { Pencil, Send } from 'lucide-react';
import type { EmailStatus, License } from '../../../contract/licenses.ts';
import { errorMessage } from '../../api/api-error.ts';
import { LicenseCategoryBadge, LicenseStatusBadge } from '../../components/badges.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';
import { actions, EMAIL_STATUS_LABELS } from '../../text/es.ts';
import { LICENSE_FIELD_LABELS as LABELS, licenseTexts, remainingCount } from '../../text/es-licenses.ts';
import { formatDate, formatSeats } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogSection } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { LicensePrice } from './license-price.tsx';
import { licenseQuery, useResendEmail } from './licenses.api.ts';

const EMAIL_TONES: Record<EmailStatus, BadgeTone> = { queued: 'info', sent: 'success', failed: 'danger' };

interface LicenseDetailsDialogProps {
  id: number;
  onEdit: () => void;
  onClose: () => void;
}

/** 'Detalles de la Licencia' for an id (SEED-2.8-21 to -24, D024). */
export function LicenseDetailsDialog({ id, onEdit, onClose }: LicenseDetailsDialogProps) {
  const query = useQuery(licenseQuery(id));
  return (
    <Dialog
      open
      size="lg"
      title={licenseTexts.details}
      onClose={onClose}
      footer={
        query.data && (
          <Button icon={Pencil} onClick={onEdit}>
            {actions.edit}
          </Button>
        )
      }
    >
      <RecordState query={query} texts={licenseTexts.record}>
        {(license) => <LicenseFacts license={license} />}
      </RecordState>
    </Dialog>
  );
}

function LicenseFacts({ license }: { license: License }) {
  const { detailSections } = licenseTexts;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-sunken px-4 py-3">
        <div className="min-w-0">
          <p className="text-xs text-muted">{LABELS.license_key}</p>
          <Code className="text-base font-semibold">{license.license_key}</Code>
        </div>
        <CopyButton text={license.license_key} size="sm" />
      </div>
      <DialogSection title={detailSections.license} columns={1}>
        <Facts>
          <Fact label={LABELS.client}>
            <span className="block font-medium">{license.client_name}</span>
            <span className="text-xs text-muted">{license.client_email}</span>
          </Fact>
          <Fact label={LABELS.software}>
            <span className="block font-medium">{license.software_name}</span>
            <span className="text-xs text-muted">{license.software_version}</span>
          </Fact>
          <Fact label={licenseTexts.columns.type}>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <LicenseCategoryBadge category={license.license_type} />
              {license.license_type_name && <span>{license.license_type_name}</span>}
            </span>
          </Fact>
          <Fact label={LABELS.status}>
            <LicenseStatusBadge status={license.status} />
          </Fact>
        </Facts>
      </DialogSection>
      <DialogSection title={detailSections.terms} columns={1}>
        <Facts>
          <Fact label={licenseTexts.installations}>
            <span className="block">
              {formatSeats(license.current_installations, license.max_installations)}
            </span>
            <span className="text-xs text-muted">{remainingCount(license.remaining_installations)}</span>
          </Fact>
          <Fact label={LABELS.price}>
            <LicensePrice license={license} />
            {license.promotion_name && (
              <span className="block text-xs text-muted">{license.promotion_name}</span>
            )}
          </Fact>
          <Fact label={LABELS.issued_date}>
            <span className="block">{formatDate(license.issued_date)}</span>
            <RelativeTime value={license.issued_date} className="text-xs text-muted" />
          </Fact>
          <Fact label={LABELS.expiry_date}>
            {license.expiry_date === null ? (
              licenseTexts.noExpiry
            ) : (
              <>
                <span className="block">{formatDate(license.expiry_date)}</span>
                <RelativeTime
                  value={license.expiry_date}
                  className={`text-xs ${license.is_expired ? 'text-critical-text' : 'text-muted'}`}
                />
              </>
            )}
          </Fact>
        </Facts>
      </DialogSection>
      <DialogSection title={LABELS.notes} columns={1}>
        {license.notes ? (
          <p className="whitespace-pre-line wrap-anywhere">{license.notes}</p>
        ) : (
          <p className="text-muted">{licenseTexts.noNotes}</p>
        )}
      </DialogSection>
      <EmailSection license={license} />
    </>
  );
}

/** The state of the mail to the client, and a button that sends it again (docs/promises.md, Mail). */
function EmailSection({ license }: { license: License }) {
  const { email: texts } = licenseTexts;
  const resend = useResendEmail();
  const [send, sending] = useOneAtATime(async () => {
    try {
      await resend.mutateAsync(license.id);
      toasts.success(texts.resent, texts.resentText(license.client_email));
    } catch (error) {
      toasts.error(texts.resendFailed, errorMessage(error));
    }
  });
  return (
    <DialogSection title={licenseTexts.detailSections.email} columns={1}>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <Facts>
          <Fact label={texts.recipient}>{license.client_email}</Fact>
          <Fact label={texts.status}>
            {license.email_status === null ? (
              texts.never
            ) : (
              <Badge tone={EMAIL_TONES[license.email_status]}>
                {EMAIL_STATUS_LABELS[license.email_status]}
              </Badge>
            )}
          </Fact>
        </Facts>
        <Button size="sm" icon={Send} busy={sending} busyLabel={texts.resending} onClick={send}>
          {texts.resend}
        </Button>
      </div>
      {license.email_status === 'failed' && <Banner tone="warning">{texts.failedHint}</Banner>}
    </DialogSection>
  );
}
