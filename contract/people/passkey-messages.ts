/** The texts of passkeys. Without schemas, so that the sign-in screen does not load zod. */

/** How many passkeys a person can have. */
export const PASSKEYS_MAX = 20;

export const PASSKEY_MESSAGES = {
  responseRequired: 'Falta la respuesta del navegador',
  tokenRequired: 'Falta lo que vino con las opciones',
  notOffered:
    'Las llaves de acceso necesitan que la dirección de este servidor (PUBLIC_URL) sea https con un nombre, o http://localhost',
  tooMany: `Puedes tener ${PASSKEYS_MAX} llaves de acceso como máximo. Elimina una que ya no uses.`,
  wrong: 'La llave de acceso no es correcta o tardó demasiado. Inténtalo de nuevo.',
  known: 'Esta llave de acceso ya está registrada',
  notFound: 'Llave de acceso no encontrada',
} as const;

export const PASSKEY_RESULTS = { removed: 'Llave de acceso eliminada' } as const;
