import { FileKey2, MailCheck, MailWarning, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { WhatsAppKey } from '../../components/client/whatsapp-link.tsx';
import { SaleRecorded } from '../../components/payment/sale-recorded.tsx';
import { LicenseCategoryBadge, LicenseStateBadge } from '../../components/record/badges.tsx';
import { MaybeUnspecified } from '../../components/record/maybe-unspecified.tsx';
import { actions, NOT_AVAILABLE } from '../../text/es.ts';
import { withoutEnd } from '../../text/es-ends.ts';
import { createdTexts as texts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { formatDate, formatNumber, formatPercent } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog, DialogSection } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { LicensePrice } from './license-price.tsx';

interface LicenseCreatedDialogProps {
  license: License;
  onClose: () => void;
  /** Opens an empty form. */
  onAnother: () => void;
  /** Opens the licence's details. */
  onView: () => void;
  finalFocus: () => HTMLElement | null;
}

/** '¡Licencia Creada Exitosamente!': the key first, then every term of the licence (SEED-2.8-27 to -36). */
export function LicenseCreatedDialog({
  license,
  onClose,
  onAnother,
  onView,
  finalFocus,
}: LicenseCreatedDialogProps) {
  const isUndelivered = useMailIsStored();
  /** Without a mail server, the way to the client is what a person must do now; closing is not. */
  const deed = isUndelivered ? 'primary' : 'secondary';
  return (
    <Dialog
      open
      size="lg"
      title={licenseTexts.createdTitle}
      description={texts.lead}
      onClose={onClose}
      finalFocus={finalFocus}
      footer={
        <>
          <Button icon={Plus} onClick={onAnother}>
            {texts.another}
          </Button>
          <Button icon={FileKey2} onClick={onView}>
            {texts.view}
          </Button>
          <Button variant={isUndelivered ? 'secondary' : 'primary'} onClick={onClose}>
            {actions.close}
          </Button>
        </>
      }
    >
      <div
        className={cx(
          'rounded-xl border p-4',
          isUndelivered ? 'border-warning/40 bg-warning-tint' : 'border-success/40 bg-success-tint',
        )}
      >
        {isUndelivered && <p className="mb-2 font-semibold text-warning-text">{texts.undelivered}</p>}
        <p className={cx('text-xs font-medium', isUndelivered ? 'text-warning-text' : 'text-success-text')}>
          {texts.key}
        </p>
        <p className="mt-1">
          <Code size="display" className="font-semibold">
            {license.license_key}
          </Code>
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <WhatsAppKey license={license} variant={deed} />
          <CopyButton text={license.license_key} variant={deed} />
          <p className="min-w-0 text-text">{texts.keepSafe}</p>
        </div>
      </div>
      <SaleRecorded license={license.id} phone={license.client_phone} />
      <EmailNote license={license} />
      <DialogSection title={texts.client} columns={1}>
        <Facts columns={3}>
          <Fact label={texts.name}>
            <bdi>{license.client_name}</bdi>
          </Fact>
          <Fact label={texts.clientEmail}>{license.client_email_shown ?? license.client_email}</Fact>
          <Fact label={texts.company}>
            <MaybeUnspecified>{license.client.company || NOT_AVAILABLE}</MaybeUnspecified>
          </Fact>
        </Facts>
      </DialogSection>
      <DialogSection title={texts.software} columns={1}>
        <Facts columns={3}>
          <Fact label={texts.name}>
            <bdi>{license.software_name}</bdi>
          </Fact>
          <Fact label={texts.version}>{license.software_version}</Fact>
          {license.software_description && (
            <Fact label={texts.description} wide>
              <Lines>{license.software_description}</Lines>
            </Fact>
          )}
        </Facts>
      </DialogSection>
      <DialogSection title={texts.terms} columns={1}>
        <Facts columns={3}>
          <Fact label={texts.type}>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <LicenseCategoryBadge category={license.license_type} />
              {license.license_type_name && <span>{license.license_type_name}</span>}
            </span>
          </Fact>
          <Fact label={LABELS.status}>
            <LicenseStateBadge license={license} />
          </Fact>
          <Fact label={LABELS.max_installations}>{formatNumber(license.max_installations)}</Fact>
          <Fact label={LABELS.price}>
            <LicensePrice license={license} />
          </Fact>
          <Fact label={LABELS.issued_date}>{formatDate(license.issued_date)}</Fact>
          <Fact label={LABELS.expiry_date}>
            {license.expiry_date === null ? withoutEnd(license) : formatDate(license.expiry_date)}
          </Fact>
          <Fact label={texts.daysRemaining}>
            {license.days_remaining === null ? NOT_AVAILABLE : formatNumber(license.days_remaining)}
          </Fact>
        </Facts>
      </DialogSection>
      <PromotionSection license={license} />
      {license.notes && (
        <DialogSection title={LABELS.notes} columns={1}>
          <Lines>{license.notes}</Lines>
        </DialogSection>
      )}
    </Dialog>
  );
}

function PromotionSection({ license }: { license: License }) {
  const { promotion_name, promotion_description, discount_percentage } = license;
  if (!promotion_name && !promotion_description && discount_percentage <= 0) return null;
  return (
    <DialogSection title={texts.promotion} columns={1}>
      <Facts columns={3}>
        {promotion_name && <Fact label={LABELS.promotion_name}>{promotion_name}</Fact>}
        {discount_percentage > 0 && (
          <Fact label={LABELS.discount_percentage}>{formatPercent(discount_percentage)}</Fact>
        )}
        {promotion_description && (
          <Fact label={LABELS.promotion_description} wide>
            <Lines>{promotion_description}</Lines>
          </Fact>
        )}
      </Facts>
    </DialogSection>
  );
}

/**
 * The state of the mail. Queued is shown as sent (SEED-2.8-36, D011). Without a mail server a text adds that it is
 * only stored.
 */
function EmailNote({ license }: { license: License }) {
  const failed = license.email_status === 'failed';
  const isStored = useMailIsStored() && !failed;
  return (
    <Banner
      tone={failed || isStored ? 'warning' : 'info'}
      icon={failed || isStored ? MailWarning : MailCheck}
      title={failed ? undefined : texts.emailSent}
    >
      <p>
        {failed ? texts.emailFailed : texts.emailText(license.client_email_shown ?? license.client_email)}
      </p>
      {isStored && (
        <p className="mt-1">
          <span className="block font-medium">{outboxTexts.stored}</span>
          {outboxTexts.notReceived}
        </p>
      )}
    </Banner>
  );
}

const Lines = ({ children }: { children: ReactNode }) => (
  <p className="whitespace-pre-line wrap-anywhere">{children}</p>
);
