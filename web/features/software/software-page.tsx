import { softwareTexts } from '../../text/es-software.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** /software. */
export function SoftwarePage() {
  return <PageHeader title={softwareTexts.title} subtitle={softwareTexts.subtitle} />;
}
