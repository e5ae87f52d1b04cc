import { OIDC_RESULTS } from '../../contract/people/oidc-messages.ts';

/** Texts of signing in with OpenID Connect (SIGN-02). */

/** The name of the provider before the server has said it. */
const someProvider = 'tu proveedor de identidad';

export const oidcSignInTexts = {
  enter: (name: string = someProvider) => `Entrar con ${name}`,
  entering: 'Entrando...',
  invited: (name: string) =>
    `Entra con tu cuenta de ${name}, la del email de la invitación. No necesitas contraseña.`,
  failed: (name: string = someProvider) =>
    `No se pudo entrar con ${name}. Inténtalo de nuevo; si sigue fallando, avisa a un administrador.`,
  ended: 'El acceso venció o ya se usó. Inténtalo de nuevo.',
  linkLead: 'Quien administra el servidor creó este enlace para que entres una sola vez.',
  useLink: 'Entrar con el enlace',
  linkEnded: 'El enlace no es válido, ya se usó o venció. Pide otro a quien administra el servidor.',
} as const;

export const identityTexts = {
  title: (name: string) => `Entrar con ${name}`,
  lead: (name: string) => `Inicia sesión con tu cuenta de ${name}, además de tu contraseña.`,
  onlyWay: (name: string) => `Entras con tu cuenta de ${name}: es tu única forma de entrar.`,
  linked: 'Enlazada',
  notLinked: 'Sin enlazar',
  link: (name: string) => `Enlazar con ${name}`,
  unlink: 'Quitar el enlace',
  linkedNow: OIDC_RESULTS.linked,
  linkedText: (name: string) => `Ya puedes entrar con ${name}.`,
  unlinkedNow: OIDC_RESULTS.unlinked,
  unlinkedText: (name: string) => `Ya no se entra en tu cuenta con ${name}.`,
  failed: 'No se pudo enlazar',
  failedText: (name: string) => `${name} no confirmó quién eres. Inténtalo de nuevo.`,
} as const;

export const oidcStepUpTexts = {
  use: (name: string) => `Confirmar con ${name}`,
  waiting: 'Esperando la otra ventana...',
  failed: (name: string) =>
    `${name} no confirmó quién eres, o el navegador bloqueó su ventana. Permítela e inténtalo de nuevo.`,
} as const;
