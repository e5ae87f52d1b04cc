import {
  BellRing,
  Building2,
  CreditCard,
  DoorOpen,
  FileSignature,
  HeartPulse,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  ScrollText,
  Users,
  Webhook,
} from 'lucide-react';

/** What the list of sections shows of each, beside its title: loaded with the page, not with the first screen. */
export const SECTION_LOOKS = {
  empresa: {
    icon: Building2,
    description: 'Así te ven tus clientes en los correos y en las constancias.',
  },
  avisos: {
    icon: BellRing,
    description:
      'Cuándo se recuerda a tus clientes que su licencia vence, y cuánto tiempo se guardan los registros.',
  },
  plantillas: {
    icon: LayoutTemplate,
    description: 'El texto de cada correo que reciben tus clientes.',
  },
  portal: {
    icon: DoorOpen,
    description: 'La página donde tus clientes ven sus licencias y liberan sus equipos.',
  },
  pagos: {
    icon: CreditCard,
    description: 'Cómo te pagan tus clientes: Mercado Pago, Stripe o transferencia.',
  },
  correos: {
    icon: Mails,
    description: 'Los correos enviados, los que esperan y los que fallaron.',
  },
  usuarios: {
    icon: Users,
    description: 'Las personas que entran a la consola y lo que puede hacer cada una.',
  },
  claves: {
    icon: KeyRound,
    description: 'Claves para que tus programas usen la API.',
  },
  webhooks: {
    icon: Webhook,
    description: 'Avisos automáticos a tus otros sistemas.',
  },
  firma: {
    icon: FileSignature,
    description:
      'Las claves con las que este servidor firma lo que responde a tus programas. No firman correos ni facturas.',
  },
  auditoria: {
    icon: ScrollText,
    description: 'Quién hizo qué, y cuándo.',
  },
  sistema: {
    icon: HeartPulse,
    description: 'Cómo están el servidor, la base de datos y los correos, y qué hacer si algo falla.',
  },
} as const satisfies Record<string, { icon: LucideIcon; description: string }>;

/** The last part of a section's address: 'empresa' for /settings/empresa. */
export type SectionSlug = keyof typeof SECTION_LOOKS;
