import type { CSSProperties, ReactNode } from 'react';
import type { Certificate } from '../../contract/licenses/certificate.ts';
import type { License } from '../../contract/licenses/licenses.ts';
import { CERTIFICATE_STATUS_LABELS, certificateTexts as texts } from '../text/es-certificate.ts';
import { withoutEnd } from '../text/es-ends.ts';
import { formatDate } from '../text/format.ts';
import { QrCode } from './qr-code.tsx';

interface CertificateSheetProps {
  title: string;
  license: Pick<
    License,
    | 'client_name'
    | 'software_name'
    | 'software_version'
    | 'license_key'
    | 'max_installations'
    | 'issued_date'
    | 'expiry_date'
    | 'pending_start'
  > & {
    /** If null, it is not shown. */
    type: string | null;
    /** The result of `shownStatus`. */
    status: License['status'];
  };
  certificate: Certificate;
}

/** The certificate. Printed, it is light also in the dark theme (styles/print.css). */
export function CertificateSheet({ title, license, certificate }: CertificateSheetProps) {
  const { vendor, code, url } = certificate;
  const accent: CSSProperties & Record<'--accent', string> = { '--accent': vendor.accent_color };
  return (
    <article
      aria-labelledby="constancia"
      style={accent}
      className="rounded-xl border border-border bg-surface p-6 text-text shadow-edge sm:p-10 print:rounded-none print:border-0 print:p-0 print:shadow-none"
    >
      <header className="flex items-center gap-4 border-b-4 border-(--accent) pb-5">
        {vendor.logo !== null && (
          <img src={vendor.logo} alt="" className="max-h-16 max-w-48 rounded-md bg-white p-1" />
        )}
        <p className="text-lg font-semibold wrap-anywhere">
          <bdi>{vendor.name}</bdi>
        </p>
      </header>
      <h1 id="constancia" className="mt-6 text-2xl font-semibold">
        {title}
      </h1>
      <p className="mt-2 text-muted">{texts.statement(vendor.name)}</p>
      <dl className="mt-6 grid gap-x-8 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
        <Line label={texts.client} wide>
          <bdi>{license.client_name}</bdi>
        </Line>
        <Line label={texts.software}>{`${license.software_name} ${license.software_version}`}</Line>
        {license.type !== null && <Line label={texts.type}>{license.type}</Line>}
        <Line label={texts.key} wide>
          <code translate="no" className="font-mono text-base">
            {license.license_key}
          </code>
        </Line>
        <Line label={texts.status}>{CERTIFICATE_STATUS_LABELS[license.status]}</Line>
        <Line label={texts.seats}>{license.max_installations}</Line>
        <Line label={texts.issued}>{formatDate(license.issued_date)}</Line>
        <Line label={texts.expiry}>
          {license.expiry_date === null ? withoutEnd(license) : formatDate(license.expiry_date)}
        </Line>
        <Line label={texts.date}>{formatDate(new Date().toISOString())}</Line>
        {vendor.support_email !== '' && <Line label={texts.support}>{vendor.support_email}</Line>}
      </dl>
      <section className="mt-8 flex flex-wrap items-center gap-6 border-t border-border pt-6 sm:flex-nowrap print:flex-nowrap">
        <QrCode text={url} label={texts.qr(url)} className="size-36 shrink-0" />
        <div className="min-w-0 space-y-2">
          <p className="text-xs text-muted">{texts.code}</p>
          <p translate="no" className="font-mono text-lg font-semibold">
            {code}
          </p>
          <p className="text-muted">{texts.scan}</p>
          <p className="wrap-anywhere">
            <a href={url} className="text-brand-text underline">
              {url}
            </a>
          </p>
        </div>
      </section>
    </article>
  );
}

function Line({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'min-w-0 sm:col-span-2 print:col-span-2' : 'min-w-0'}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 text-base font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
