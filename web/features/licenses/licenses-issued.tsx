import { Download, MailCheck, MailWarning } from 'lucide-react';
import { BYTE_ORDER_MARK, csvLine } from '../../../contract/base/csv-cell.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { saveAs } from '../../api/http.ts';
import { SaleRecorded } from '../../components/payment/sale-recorded.tsx';
import { LicenseLink } from '../../components/record/record-links.tsx';
import { actions } from '../../text/es.ts';
import { createdTexts as texts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { IssuedBatch } from './licenses-form.tsx';

interface LicensesIssuedDialogProps {
  batch: IssuedBatch;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/**
 * '¡Licencias Creadas Exitosamente!': the keys of licences issued together, to copy or to save as a file (SELL-05).
 */
export function LicensesIssuedDialog({ batch, onClose, finalFocus }: LicensesIssuedDialogProps) {
  const { licenses, client } = batch;
  const isStored = useMailIsStored();
  const save = () => saveAs(new Blob([csvOf(batch)], { type: 'text/csv;charset=utf-8' }), texts.fileName);
  return (
    <Dialog
      open
      size="lg"
      title={licenseTexts.batchTitle}
      description={texts.batchLead(licenses.length)}
      onClose={onClose}
      finalFocus={finalFocus}
      footer={
        <>
          <CopyButton
            text={licenses.map(({ license_key }) => license_key).join('\n')}
            label={texts.copyAll}
            copiedLabel={texts.copiedAll}
            variant={isStored ? 'primary' : 'secondary'}
          />
          <Button icon={Download} onClick={save}>
            {texts.download}
          </Button>
          <Button variant={isStored ? 'secondary' : 'primary'} onClick={onClose}>
            {actions.close}
          </Button>
        </>
      }
    >
      {isStored && <p className="font-semibold text-warning-text">{texts.undeliveredMany}</p>}
      <Banner
        tone={isStored ? 'warning' : 'info'}
        icon={isStored ? MailWarning : MailCheck}
        title={texts.emailSent}
      >
        <p>{texts.batchEmail(client.email, licenses.length)}</p>
        {isStored && (
          <p className="mt-1">
            <span className="block font-medium">{outboxTexts.stored}</span>
            {outboxTexts.notReceived}
          </p>
        )}
      </Banner>
      {licenses[0] && <SaleRecorded license={licenses[0].id} phone="" />}
      <section aria-label={texts.keys}>
        <h3 className="mb-2 text-sm font-semibold">{texts.keys}</h3>
        <ol className="divide-y divide-border rounded-xl border border-border">
          {licenses.map(({ id, license_key }, index) => (
            <li key={id} className="flex items-center gap-3 px-4 py-1.5">
              <span aria-hidden className="w-8 shrink-0 text-right text-xs text-muted tabular-nums">
                {index + 1}
              </span>
              <LicenseLink id={id} licenseKey={license_key} className="min-w-0" />
            </li>
          ))}
        </ol>
      </section>
    </Dialog>
  );
}

/** The new licences as a CSV file, with cells written as in an export (D014). */
const csvOf = ({ licenses }: IssuedBatch): string =>
  BYTE_ORDER_MARK +
  csvLine([texts.id, texts.key]) +
  licenses.map(({ id, license_key }) => csvLine([id, license_key])).join('');
