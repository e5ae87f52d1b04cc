import { ArrowLeft, Printer } from 'lucide-react';
import { HOLDING_STATUSES } from '../../contract/base/limits.ts';
import type { Certificate } from '../../contract/licenses/certificate.ts';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { certificateTexts } from '../text/es-certificate.ts';
import { portalCertificateTexts as texts } from '../text/es-portal-licenses.ts';
import { Button } from '../ui/button.tsx';
import { call } from './call.ts';
import { CertificateSheet } from './certificate-sheet.tsx';
import { LoadFailure, Loading } from './page.tsx';
import { PlaceLink } from './place-link.tsx';
import { useSession } from './session.ts';
import { useLoaded } from './use-loaded.ts';

/** 'Constancia de licencia' for the client to print (LIFE-12). */
export function CertificatePage({ id }: { id: number }) {
  const { me } = useSession();
  const { loaded, reload } = useLoaded(`certificate ${id}`, async () => {
    const [license, certificate] = await Promise.all([
      call<PortalLicense>(`licenses/${id}/`),
      call<Certificate>(`licenses/${id}/certificate/`, { method: 'POST' }),
    ]);
    return { license, certificate };
  });
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') return <LoadFailure error={loaded.error} retry={reload} />;
  const { license, certificate } = loaded.data;
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3" data-print="hidden">
        <PlaceLink
          to={{ name: 'license', id }}
          className="inline-flex min-h-11 items-center gap-1.5 font-medium text-brand-text underline-offset-2 hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {certificateTexts.back}
        </PlaceLink>
        <Button variant="primary" size="lg" icon={Printer} onClick={() => window.print()}>
          {certificateTexts.print}
        </Button>
      </div>
      <CertificateSheet
        title={texts.title}
        license={{
          ...license,
          client_name: me.client?.name ?? '',
          type: license.license_type_name,
          // The same rule as `shownStatus`, whose file would load all schemas.
          status: license.is_expired && isHolding(license.status) ? 'expired' : license.status,
        }}
        certificate={certificate}
      />
    </div>
  );
}

const isHolding = (status: string) => HOLDING_STATUSES.some((holding) => holding === status);
