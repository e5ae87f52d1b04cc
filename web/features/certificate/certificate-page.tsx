import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { shownStatus } from '../../../contract/licenses/certificate.ts';
import { LICENSE_CATEGORY_LABELS } from '../../../contract/licenses/license-words.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { useParam } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { CertificateSheet } from '../../portal/certificate-sheet.tsx';
import { screens } from '../../text/es.ts';
import { certificateTexts as texts } from '../../text/es-certificate.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { certificateQuery } from './certificate.api.ts';

/** 'Constancia de licencia': the certificate to print, with the code to check it (LIFE-12). */
export function CertificatePage() {
  const id = useParam('id');
  const query = useQuery(certificateQuery(Number(id)));
  return (
    <div className="mx-auto max-w-3xl space-y-6 print:max-w-none print:space-y-0">
      <div className="flex flex-wrap items-center justify-between gap-3" data-print="hidden">
        <Link to={PATHS.license} params={{ id: String(id) }} className={buttonClass('secondary', 'md')}>
          <ArrowLeft aria-hidden className="size-4" />
          {texts.back}
        </Link>
        <Button
          variant="primary"
          icon={Printer}
          disabled={query.data === undefined}
          onClick={() => window.print()}
        >
          {texts.print}
        </Button>
      </div>
      <RecordState query={query} texts={texts}>
        {({ license, certificate }) => (
          <CertificateSheet
            title={screens.certificate}
            license={{
              ...license,
              type: license.license_type_name ?? LICENSE_CATEGORY_LABELS[license.license_type],
              status: shownStatus(license, new Date()),
            }}
            certificate={certificate}
          />
        )}
      </RecordState>
    </div>
  );
}
