import { clientTexts } from '../../text/es-clients.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** /clients. */
export function ClientsPage() {
  return <PageHeader title={clientTexts.title} subtitle={clientTexts.subtitle} />;
}
