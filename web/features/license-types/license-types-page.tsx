import { licenseTypeTexts } from '../../text/es-license-types.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** /license-types. */
export function LicenseTypesPage() {
  return <PageHeader title={licenseTypeTexts.title} subtitle={licenseTypeTexts.subtitle} />;
}
