import type { SetupStep } from '../../../contract/settings/setup-steps.ts';

/** Texts of the first steps (DESK-06). What the client will see speaks usted, as all that a client reads. */
export const setupTexts = {
  title: 'Primeros pasos',
  progress: (done: number, all: number) => `${done} de ${all} listos`,
  done: 'Listo',
  pending: 'Pendiente',
  skipped: 'Saltado',
  skip: 'Saltar',
  resume: 'Retomar',
  /** The accessible name of the button of a step: 'Saltar: Correo'. */
  of: (verb: string, step: string) => `${verb}: ${step}`,
  skipFailed: 'No se pudo guardar el paso',
  import: 'Importar desde Excel',
  preview: 'Lo que verá tu cliente',
  previewTeam: 'Lo que verá tu colega',
  last: 'Después, emite tu primera licencia',
  lastHint: 'El cliente recibe su clave por correo.',
  /** Replaces the text above if there is no mail server. */
  lastStored: 'Sin servidor de correo, dale tú la clave al cliente.',
  issue: 'Emitir una licencia',
} as const;

/** What each step is about, under its name. */
export const SETUP_STEP_HINTS: Readonly<Record<SetupStep, string>> = {
  company: 'Nombre, logotipo y color',
  mail: 'El servidor que envía las claves',
  payments: 'Tarjeta o transferencia',
  software: 'Lo que vendes, con su versión',
  license_types: 'Precio, vigencia y lugares',
  clients: 'A quién le vendes',
  integration: 'Tu programa pregunta por su licencia',
  team: 'Invita a quien te ayuda',
};

/** What stands in the pictures of the previews. */
export const previewTexts = {
  from: (vendor: string) => `De: ${vendor}`,
  subject: 'Asunto: Su licencia de Tienda Fácil',
  greeting: 'Estimada Ana:',
  key: 'Esta es su clave de Tienda Fácil. Guárdela: con ella activa el programa en su equipo.',
  open: 'Ver mi licencia',
  order: 'Tienda Fácil · Anual',
  orderTerms: 'Un año, un equipo',
  pay: 'Pagar con tarjeta',
  transfer: 'Pagar por transferencia',
  product: 'Tienda Fácil 1.0',
  productLine: 'Su licencia está activa en este equipo.',
  licenses: 'Sus licencias',
  ends: 'Vence en un año · 1 de 1 equipo',
  window: 'Tienda Fácil',
  askKey: 'Escriba la clave de su licencia',
  keySample: 'A7KQ2-M9XVD-4TRHB-…',
  activate: 'Activar el programa',
  invited: (vendor: string) => `Te invitaron a la consola de ${vendor}`,
  invitedText: 'Elige tu contraseña y entra.',
  accept: 'Aceptar la invitación',
} as const;
