import { z } from 'zod';

const NONCE_MESSAGE = 'El nonce lleva de 16 a 64 letras sin acento, números o los signos - _ + / =';

/**
 * Fresh random text that a program sends to get a signed token, for example in base64, base64url, hexadecimal or as a
 * UUID.
 */
export const nonce = z
  .string(NONCE_MESSAGE)
  .regex(/^[A-Za-z0-9_+/=-]{16,64}$/, NONCE_MESSAGE)
  .meta({ examples: ['q3JX0u8c5mS1hV7bT2wYzA'] });

/** The field of an answer to a call with a nonce. */
export const tokenShape = {
  token: z.string().optional().meta({
    description:
      'La respuesta firmada: un JWS con ES256. Dice de qué clave (key_hash), equipo (mid), software (aud), llamada (call) y nonce es, y si el equipo tiene un lugar (seat) / The signed answer: a JWS with ES256. It says of which key (key_hash), machine (mid), software (aud), call (call) and nonce it is, and whether the machine has a seat (seat)',
  }),
};
