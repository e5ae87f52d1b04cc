import type { RefusedReason } from './refused-reasons.ts';

/** What the rows of 'Para hoy' say. */

const lugares = (seats: number) =>
  seats === 1 ? 'su único lugar está ocupado' : `sus ${seats} lugares están ocupados`;

const REFUSED: Record<RefusedReason, (software: string, seats: number, machine: string) => string> = {
  installation_limit: (software, seats, machine) =>
    `${software}: ${lugares(seats)}, y «${machine}» pidió uno`,
  wrong_software: (software, _seats, machine) => `«${machine}» usó la clave de ${software} en otro producto`,
  updates_ended: (software, _seats, machine) =>
    `«${machine}» usa una versión de ${software} posterior al fin de sus actualizaciones`,
};

export const TODAY_TEXTS = {
  transferNotified: (client: string) => `${client} avisó que ya transfirió`,
  transferDetail: (concept: string, paidOn: string | null, reference: string) =>
    [
      concept,
      paidOn && `transferencia del ${paidOn.split('-').reverse().join('/')}`,
      reference && `referencia «${reference}»`,
    ]
      .filter(Boolean)
      .join(' · '),
  paymentReview: (client: string) => `Revisa el cobro de ${client}`,
  clientRequest: (client: string, asked: string) => `${client} pide ${asked}`,
  requestDetail: (software: string | null, message: string | null) =>
    [software, message && `«${message}»`].filter(Boolean).join(' · '),
  refused: (client: string) => `Un programa de ${client} no puede trabajar`,
  refusedDetail: (reason: RefusedReason, software: string, seats: number, machine: string) =>
    REFUSED[reason](software, seats, machine),
  noteDue: (client: string) => `Nota pendiente sobre ${client}`,
  expiring: (client: string) => `La licencia de ${client} está por vencer`,
  trialEnding: (client: string) => `La prueba de ${client} está por terminar`,
  expired: (client: string) => `La licencia de ${client} venció y no se ha renovado`,
  ends: (software: string, when: string, day: string) => `${software} ${when}, el ${day}`,
  mailFailed: (to: string) => `No se pudo entregar un correo a ${to}`,
  mailDetail: (kind: string, address: string, error: string | null) =>
    error ? `${kind} · ${address} · ${error}` : `${kind} · ${address}`,
  webhookDisabled: 'Un webhook se desactivó',
  backupLate: 'Falta una copia de seguridad probada',
  backupDetail: (last: string | null) =>
    last === null ? 'Todavía no hay ninguna' : `La última es del ${last}`,
} as const;
