import { useQuery } from '@tanstack/react-query';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import type { EmailStatus } from '../../../contract/licenses/licenses.fields.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { useWasStored } from '../../api/email-transport.ts';
import { ChecksList } from '../../components/checks/checks-list.tsx';
import { RecordTimeline } from '../../components/history/record-timeline.tsx';
import { FeatureFacts } from '../../components/license/feature-facts.tsx';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import type { LicenseQuestion, LicenseTab } from '../../components/license/licenses-search.ts';
import { lastTermQuery } from '../../components/license/lifecycle.api.ts';
import { SeatFacts } from '../../components/license/seat-facts.tsx';
import { ExpiryDistance, SeatsLeft } from '../../components/license/urgency.tsx';
import { StandingRequests } from '../../components/payment/standing-requests.tsx';
import { LicenseCategoryBadge, LicenseStateBadge } from '../../components/record/badges.tsx';
import { DetailsDialog } from '../../components/record/details-dialog.tsx';
import type { FormField } from '../../components/record/form-fields.ts';
import { RecentEvents } from '../../components/record/recent-events.tsx';
import { LicenseTypeName, MailsLink, RecordLink } from '../../components/record/record-links.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { EMAIL_STATUS_LABELS } from '../../text/es.ts';
import { checkTexts } from '../../text/es-checks.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { historyTexts } from '../../text/es-events.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { saleTexts } from '../../text/es-sales-options.ts';
import { formatDate, formatSeats } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { LicenseActions } from './license-actions.tsx';
import { LicenseMachines } from './license-machines.tsx';
import { LicensePrice } from './license-price.tsx';
import { LicenseStateNote } from './license-state-note.tsx';
import { LicenseUsage } from './license-usage.tsx';
import { LICENSE_INPUTS } from './licenses.form.tsx';
import { QUESTION_OF } from './next-action.ts';
import { WhyButton } from './why-button.tsx';

const EMAIL_TONES: Record<EmailStatus, BadgeTone> = { queued: 'info', sent: 'success', failed: 'danger' };

interface LicenseDetailsDialogProps {
  id: number;
  tab: LicenseTab;
  onTab: (tab: LicenseTab) => void;
  /** The dialog that the address opens, and the function called after it was closed. */
  question: LicenseQuestion | undefined;
  onAnswered: () => void;
  /** Writes a dialog to the address. */
  onAsk: (question: LicenseQuestion) => void;
  onEdit: () => void;
  onClose: () => void;
}

/**
 * The dialog 'Detalles de la Licencia': its data, the checks of its programs (SELL-07), and its history (SEED-2.8-21
 * to -24, D024, EVENT-08).
 */
export function LicenseDetailsDialog({
  id,
  tab,
  onTab,
  question,
  onAnswered,
  onAsk,
  onEdit,
  onClose,
}: LicenseDetailsDialogProps) {
  const query = useQuery(licenseQuery(id));
  return (
    <DetailsDialog
      query={query}
      size="place"
      steady
      texts={licenseTexts}
      nameOf={({ license_key }) => license_key}
      subject={(license) => ({
        name: <Code size="large">{license.license_key}</Code>,
        state: (
          <>
            <CopyButton iconOnly text={license.license_key} label={licenseTexts.copyKey} />
            <LicenseStateBadge license={license} />
            <WhyButton
              license={license}
              onMend={(remedy) => (remedy === 'update' ? onEdit() : onAsk(QUESTION_OF[remedy]))}
            />
          </>
        ),
        note: <LicenseStateNote license={license} />,
        actions: (
          <LicenseActions license={license} question={question} onAnswered={onAnswered} onEdit={onEdit} />
        ),
      })}
      onClose={onClose}
    >
      {(found) => (
        <Tabs<LicenseTab>
          label={licenseTexts.details}
          value={tab}
          onChange={onTab}
          tabs={[
            {
              key: 'resumen',
              label: licenseRecordTexts.tabs.summary,
              content: (
                <LicenseFacts
                  license={found}
                  onHistory={() => onTab('historial')}
                  onAdjust={() => onAsk(QUESTION_OF.adjust)}
                />
              ),
            },
            {
              key: 'consultas',
              label: checkTexts.title,
              content: (
                <ChecksList
                  of={{ license: found.id }}
                  licenses={[found]}
                  onMend={(_license, remedy) => (remedy === 'update' ? onEdit() : onAsk(QUESTION_OF[remedy]))}
                />
              ),
            },
            {
              key: 'historial',
              label: historyTexts.title,
              content: <RecordTimeline of={{ license: id }} />,
            },
          ]}
        />
      )}
    </DetailsDialog>
  );
}

interface LicenseFactsProps {
  license: License;
  onHistory: () => void;
  onAdjust: () => void;
}

function LicenseFacts({ license, onHistory, onAdjust }: LicenseFactsProps) {
  const { detailSections } = licenseRecordTexts;
  return (
    <div className="flex flex-col gap-6">
      <DialogSection title={detailSections.license} columns={1}>
        <Facts>
          <Fact label={LABELS.client}>
            <RecordLink kind="clients" id={license.client.id} className="block font-medium">
              {license.client_name}
            </RecordLink>
            <span className="text-xs text-muted">{license.client_email_shown ?? license.client_email}</span>
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
              <LicenseTypeName license={license} />
            </span>
          </Fact>
        </Facts>
      </DialogSection>
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
      <StandingRequests of={{ license: license.id }} phone={license.client_phone} />
      <LicenseUsage license={license} onAdjust={onAdjust} />
      <LicenseMachines license={license} />
      <MailSection license={license} />
      <DialogSection title={LABELS.notes} columns={1}>
        {license.notes ? (
          <p className="whitespace-pre-line wrap-anywhere">{license.notes}</p>
        ) : (
          <p className="text-muted">{licenseRecordTexts.noNotes}</p>
        )}
      </DialogSection>
      <RecentEvents of={{ license: license.id }} onHistory={onHistory} />
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
        <span className="block text-xs text-muted">{saleTexts.forDays(license.expiry_days)}</span>
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
        <Fact label={texts.recipient}>
          <Copyable text={license.client_email} label={texts.copyRecipient}>
            <a className="hover:text-brand-text hover:underline" href={`mailto:${license.client_email}`}>
              {license.client_email_shown ?? license.client_email}
            </a>
          </Copyable>
        </Fact>
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
