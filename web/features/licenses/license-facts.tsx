import { useQuery } from '@tanstack/react-query';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import type { EmailStatus } from '../../../contract/licenses/licenses.fields.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { useWasStored } from '../../api/email-transport.ts';
import { RecentTimeline } from '../../components/history/recent-timeline.tsx';
import { FeatureFacts } from '../../components/license/feature-facts.tsx';
import { lastTermQuery } from '../../components/license/lifecycle.api.ts';
import { SeatFacts } from '../../components/license/seat-facts.tsx';
import { ExpiryDistance, SeatsLeft } from '../../components/license/urgency.tsx';
import { StandingRequests } from '../../components/payment/standing-requests.tsx';
import type { FormField } from '../../components/record/form-fields.ts';
import { MailsLink } from '../../components/record/record-links.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { EMAIL_STATUS_LABELS } from '../../text/es.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { saleTexts } from '../../text/es-sales-options.ts';
import { formatDate, formatSeats } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { useAsideIsBeside } from '../../ui/dialog-panel.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { RecentMachines } from './floating-seats.tsx';
import { LicenseContact } from './license-contact.tsx';
import { LicenseMachines } from './license-machines.tsx';
import { LicensePrice } from './license-price.tsx';
import { LicenseSales } from './license-sales.tsx';
import { LicenseUsage } from './license-usage.tsx';
import { LICENSE_INPUTS } from './licenses.form.tsx';

const EMAIL_TONES: Record<EmailStatus, BadgeTone> = { queued: 'info', sent: 'success', failed: 'danger' };

interface LicenseFactsProps {
  license: License;
  onHistory: () => void;
  onAdjust: () => void;
}

/** Tab 'Resumen': terms, money, machines, mail and the latest events (SEED-2.8-21 to -24, LIST-04). */
export function LicenseFacts({ license, onHistory, onAdjust }: LicenseFactsProps) {
  const { detailSections } = licenseRecordTexts;
  const isBeside = useAsideIsBeside();
  return (
    <div className="flex flex-col gap-6">
      {/* What is still to be paid is said first (MONEY-13). */}
      <StandingRequests of={{ license: license.id }} phone={license.client_phone} />
      {!isBeside && (
        <DialogSection title={detailSections.license} columns={1}>
          <LicenseContact license={license} columns={2} />
        </DialogSection>
      )}
      <DialogSection title={detailSections.terms} columns={1}>
        <Facts>
          <Fact label={DETAIL_LABELS.seats_used}>
            <span className="block">
              {formatSeats(license.current_installations, license.max_installations)}
            </span>
            <SeatsLeft
              left={license.remaining_installations}
              seats={license.max_installations}
              className="text-xs"
            />
            <RecentMachines license={license} />
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
              <WithoutEnd license={license} />
            ) : (
              <>
                <span className="block">{formatDate(license.expiry_date)}</span>
                <ExpiryDistance license={license} className="text-xs" />
                {license.grace_days > 0 && (
                  <span className="block text-xs text-muted">
                    {licenseRecordTexts.graceDays(license.grace_days)}
                  </span>
                )}
              </>
            )}
          </Fact>
          <LastRenewal license={license} />
          {Object.entries<FormField>(LICENSE_INPUTS).map(([name, { label, fact }]) => {
            // The cast is safe: these fields are those of licences.
            const said = fact?.(license as never);
            return said ? (
              <Fact key={name} label={label}>
                {said}
              </Fact>
            ) : null;
          })}
          {license.trial_email && (
            <Fact label={LABELS.trial_email}>
              <Copyable text={license.trial_email} label={licenseRecordTexts.email.copyRecipient} />
            </Fact>
          )}
          <SeatFacts of={license} />
          <Fact label={LABELS.features} wide>
            <FeatureFacts features={license.features} />
          </Fact>
        </Facts>
      </DialogSection>
      <LicenseSales license={license.id} />
      <LicenseUsage license={license} onAdjust={onAdjust} />
      <LicenseMachines license={license} />
      <MailSection license={license} />
      {license.notes && (
        <DialogSection title={LABELS.notes} columns={1}>
          <p className="whitespace-pre-line wrap-anywhere">{license.notes}</p>
        </DialogSection>
      )}
      <RecentTimeline of={{ license: license.id }} onHistory={onHistory} />
    </div>
  );
}

/**
 * Why there is no end date. While the licence waits for its first activation, also how long it will last, and until
 * when it waits.
 */
function WithoutEnd({ license }: { license: License }) {
  return (
    <>
      <span className="block text-muted">{withoutEnd(license)}</span>
      {license.activate_by && (
        <span className="block text-xs text-muted">
          {saleTexts.activateBy(formatDate(license.activate_by))}
        </span>
      )}
      {license.activate_by && license.expiry_days !== null && (
        <span className="block text-xs text-muted">
          {saleTexts.forDays(license.expiry_days, license.expiry_months)}
        </span>
      )}
    </>
  );
}

/** The renewal that started the current term; nothing if the licence was never renewed. */
function LastRenewal({ license }: { license: License }) {
  const { data: last } = useQuery(lastTermQuery(license.id));
  if (last === undefined || last.kind === 'issue') return null;
  return <Fact label={licenseRecordTexts.lastRenewal}>{formatDate(last.created_at)}</Fact>;
}

/** The state of the mail to the client (docs/promises.md, Mail). */
function MailSection({ license }: { license: License }) {
  const { email: texts } = licenseRecordTexts;
  const isStored = useWasStored(license.email_transport);
  return (
    <DialogSection title={licenseRecordTexts.detailSections.email} columns={1}>
      <Facts>
        <Fact label={texts.status}>
          {license.email_status === null ? (
            texts.never
          ) : (
            <span className="flex flex-wrap items-center gap-x-3">
              <Badge
                tone={
                  isStored && license.email_status === 'sent' ? 'warning' : EMAIL_TONES[license.email_status]
                }
              >
                {mailStates(EMAIL_STATUS_LABELS, isStored)[license.email_status]}
              </Badge>
              <MailsLink of={{ license: license.id }} />
            </span>
          )}
        </Fact>
      </Facts>
      {license.email_status === 'failed' && <Banner tone="warning">{texts.failedHint}</Banner>}
    </DialogSection>
  );
}
