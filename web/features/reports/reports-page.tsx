import { ChartColumn } from 'lucide-react';
import { UnderDevelopment } from '../../components/frame/under-development.tsx';
import { placeholderTexts } from '../../text/es-placeholders.ts';

/** /reports (SEED-2.1-12). */
export function ReportsPage() {
  return <UnderDevelopment {...placeholderTexts.reports} icon={ChartColumn} />;
}
