import type { CSSProperties, ReactNode } from 'react';
import type { Vendor } from '../../contract/licenses/certificate.ts';
import { portalTexts as texts } from '../text/es-portal.ts';
import { Banner } from '../ui/banner.tsx';
import { cx } from '../ui/cx.ts';
import { isOffline } from './connection.ts';
import { useStore } from './store.ts';

interface ShellProps {
  vendor: Vendor;
  /** The signed-in client, shown beside the vendor. */
  account?: ReactNode;
  children: ReactNode;
}

/** Shown while the vendor is not known. */
export const NOBODY: Vendor = { name: '', support_email: '', accent_color: '#596273', logo: null };

/** The frame of all pages: the vendor at the top, help at the bottom. */
export const Shell = ({ vendor, account, children }: ShellProps) => (
  <VendorLook vendor={vendor} className="flex min-h-dvh flex-col">
    <header className="border-b border-border bg-surface" data-print="hidden">
      <div className="mx-auto flex max-w-2xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <VendorName vendor={vendor} />
        {account}
      </div>
    </header>
    <OfflineBanner />
    <main className="mx-auto w-full max-w-2xl flex-1 px-4 py-6">{children}</main>
    <footer className="mx-auto w-full max-w-2xl px-4 pb-8 empty:hidden" data-print="hidden">
      <Support vendor={vendor} />
    </footer>
  </VendorLook>
);

interface VendorLookProps {
  vendor: Vendor;
  className?: string;
  children: ReactNode;
}

/** Sets the vendor's colour for its content. */
export function VendorLook({ vendor, className, children }: VendorLookProps) {
  const look: CSSProperties & Record<'--vendor-color', string> = { '--vendor-color': vendor.accent_color };
  return (
    <div style={look} className={cx('vendor-look border-t-4 border-brand print:border-0', className)}>
      {children}
    </div>
  );
}

/** The address where clients get help. */
export const Support = ({ vendor: { support_email } }: { vendor: Vendor }) =>
  support_email !== '' && (
    <p className="text-muted">
      {`${texts.help} `}
      <a href={`mailto:${support_email}`} className="font-medium text-brand-text underline wrap-anywhere">
        {support_email}
      </a>
    </p>
  );

export function VendorName({ vendor: { name, logo } }: { vendor: Vendor }) {
  return (
    <p className="flex min-w-0 items-center gap-3 text-base font-semibold wrap-anywhere">
      {/* A white background, because some logos are made for white paper only. */}
      {logo !== null && <img src={logo} alt="" className="max-h-10 max-w-32 rounded bg-white p-1" />}
      {name}
    </p>
  );
}

/** Announced when it appears; the page's content stays. */
function OfflineBanner() {
  const offline = useStore(isOffline);
  return (
    <div role="status" className="mx-auto w-full max-w-2xl px-4 not-empty:pt-4">
      {offline && (
        <Banner tone="warning" title={texts.offline}>
          {texts.offlineText}
        </Banner>
      )}
    </div>
  );
}
