/** The vendor's logo (MAIL-03): an image format that mail programs and browsers can show. */

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export const LOGO_BYTES_MAX = 200_000;
/** A larger image may need more memory than a mail program provides. */
export const LOGO_SIDE_MAX = 2000;
export const LOGO_SIDE_MIN = 16;

export const LOGO_MESSAGES = {
  type: 'El logo debe ser una imagen PNG o JPEG',
  size: 'El logo no puede pesar más de 200 kB',
  broken: 'El archivo está incompleto o no es una imagen PNG o JPEG',
  otherType: 'El contenido del archivo no corresponde a su tipo',
  side: `Cada lado del logo debe medir entre ${LOGO_SIDE_MIN} y ${LOGO_SIDE_MAX} píxeles`,
  none: 'No hay logo',
} as const;

export const LOGO_RESULTS = { removed: 'Logo eliminado exitosamente' } as const;
