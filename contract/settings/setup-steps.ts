/** The first steps of an installation, in their order (DESK-06). Each is done by itself, or skipped for everybody. */
export const SETUP_STEPS = [
  'company',
  'mail',
  'payments',
  'software',
  'license_types',
  'clients',
  'integration',
  'team',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** 'Equipo' alone would mean a machine. */
export const SETUP_STEP_LABELS: Readonly<Record<SetupStep, string>> = {
  company: 'Tu empresa',
  mail: 'Correo',
  payments: 'Cómo te pagan',
  software: 'Software',
  license_types: 'Tipo de licencia',
  clients: 'Clientes',
  integration: 'Integración',
  team: 'Equipo de trabajo',
};
