import { buttons } from '../../text/es-buttons.ts';
import { formatDateTime } from '../../text/format.ts';

/** The texts of 'Portal' in the details of a client. */
export const clientPortalTexts = {
  title: 'Portal',
  lastSignIn: (at: string | null) =>
    at === null ? 'Todavía no ha entrado.' : `Entró por última vez el ${formatDateTime(at)}.`,
  invite: 'Enviar acceso',
  inviting: buttons.sending,
  invited: (email: string) => `Se envió el acceso a ${email}`,
  inviteFailed: 'Error al enviar el acceso',
  view: 'Ver como cliente',
  opening: buttons.opening,
  viewFailed: 'Error al abrir el portal',
  notActive: 'Solo los clientes activos pueden entrar.',
} as const;
