import {
  BellRing,
  Building2,
  FileSignature,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  ScrollText,
  Users,
  Webhook,
} from 'lucide-react';

/** The icons of the sections of Configuración, by name: web/settings-sections.ts uses the names only. */
export const SECTION_ICONS = {
  company: Building2,
  reminders: BellRing,
  templates: LayoutTemplate,
  mails: Mails,
  users: Users,
  keys: KeyRound,
  webhooks: Webhook,
  signing: FileSignature,
  audit: ScrollText,
} as const satisfies Record<string, LucideIcon>;

export type SectionIcon = keyof typeof SECTION_ICONS;
