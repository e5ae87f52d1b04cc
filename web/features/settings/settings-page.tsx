import { Settings } from 'lucide-react';
import { UnderDevelopment } from '../../components/frame/under-development.tsx';
import { placeholderTexts } from '../../text/es-placeholders.ts';

/** /settings (SEED-2.1-13). */
export function SettingsPage() {
  return <UnderDevelopment {...placeholderTexts.settings} icon={Settings} />;
}
