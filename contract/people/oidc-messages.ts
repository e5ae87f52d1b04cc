/** The words and addresses of signing in with OpenID Connect (SIGN-02). Without schemas, so that the console does not load zod. */

/** What follows '#' at /login when somebody comes back from the issuer: the token of a callback, or that it failed. */
export const OIDC_FRAGMENT = { token: 'oidc', failed: 'oidc_error' } as const;
/** What follows '#' at /login in a link of `npm run user -- link`. */
export const LINK_FRAGMENT = 'k';

export const OIDC_MESSAGES = {
  uninvited: 'Pide una invitación a un administrador',
  noRole: 'Tu organización no te da ningún rol aquí. Pídelo a quien la administra.',
  only: (name: string) => `Aquí solo se entra con ${name}`,
  taken: 'Esta identidad ya es de otra persona',
  linkedAlready: 'Tu cuenta ya tiene otra identidad: quítala primero',
  onlyWay: 'Es tu única forma de entrar: pon antes una contraseña',
  notLinked: 'Tu cuenta no tiene ninguna identidad',
  notConfirmed: 'No se pudo confirmar tu identidad. Inténtalo de nuevo.',
} as const;

export const OIDC_RESULTS = { linked: 'Identidad enlazada', unlinked: 'Identidad quitada' } as const;
