import { licenseTexts } from '../../text/es-licenses.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** /licenses. */
export function LicensesPage() {
  return <PageHeader title={licenseTexts.title} subtitle={licenseTexts.subtitle} />;
}
