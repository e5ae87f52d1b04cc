import type { PortalFeature } from '../../contract/portal/portal-words.ts';
import { buttons } from './es-buttons.ts';

/** The texts of Configuración › Portal. */
export const portalSettingsTexts = {
  access: 'El portal',
  enabledHelp:
    'Tus clientes entran con su correo y un código, sin contraseña. Quien lea ese correo puede entrar: identifica al buzón, no a la persona.',
  supportHelp:
    'Aparece al pie del portal, y ahí llegan las solicitudes. Vacío: las solicitudes llegan a los administradores.',
  offers: 'Qué pueden hacer tus clientes',
  address: 'Dirección del portal',
  copyAddress: 'Copiar dirección',
  wording: 'Texto para tu página web',
  wordingHelp: 'Pégalo en tu página de ayuda o de contacto.',
  copyWording: 'Copiar texto',
  copied: buttons.copied,
  preview: 'Así lo ve tu cliente',
  previewOff: 'Con el portal cerrado',
  open: 'Abrir el portal',
} as const;

/** A text about the portal for the vendor's website, addressed to clients. */
export const portalWording = (url: string) =>
  `¿Cambió de equipo o necesita los datos de su licencia? Entre a ${url} con el correo de su compra. No necesita contraseña: le enviamos un código. Ahí puede liberar un equipo, recibir su licencia de nuevo y pedir su renovación.`;

/** What each feature means for the client. */
export const PORTAL_FEATURE_HELP: Record<PortalFeature, string> = {
  release: 'Dejan libre el lugar de un equipo, tantas veces al mes como permita la licencia.',
  file: 'Para equipos sin internet; 30 días como máximo.',
  tax_data: 'Teléfono, contacto y lo que necesita una factura.',
  request: 'Piden una renovación, más equipos u otra cosa. Te llega por correo y a la campana.',
  resend: 'Reciben otra vez los datos de su licencia, siempre en su correo registrado.',
  certificate: 'Con un código QR que cualquiera puede comprobar.',
  reminders: 'Apagan o encienden los avisos de vencimiento.',
  pay: 'Solo se muestra cuando hay una forma de pago.',
};

/** Sample data of the preview beside the switches. */
export const portalPreviewSample = {
  software: 'Punto de venta',
  key: 'ABCDE-23456-FGHJK-78923-MNPQR',
  machines: ['Caja 1', 'Caja 2'],
  contact: 'María Fernanda Ríos',
} as const;
