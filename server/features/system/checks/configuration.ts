import type { Config } from '../../../config.ts';
import { isLoopbackHost } from '../../../lib/this-machine.ts';
import { type Check, ok, warning } from './check.ts';

type Advice = { message: string; remedy: string };

/** A warning, so that nobody uses such a server for clients by mistake. */
const DRILL: Advice = {
  message: 'OUTBOUND=0: de este servidor no sale ningún correo, webhook ni llamada a un proveedor de pagos.',
  remedy:
    'Es para un simulacro con una copia restaurada; quita OUTBOUND en el servidor que usan tus clientes.',
};

const isHere = (url: string) => isLoopbackHost(new URL(url).hostname);

/** The domain of the sender. */
export const mailDomain = (mailFrom: string): string => /@([^@>\s]+)>?\s*$/.exec(mailFrom)?.[1] ?? '';

/** Settings that are valid but probably not intended, the most serious first. */
export function adviceOn(config: Config): Advice[] {
  const drill = config.outbound ? [] : [DRILL];
  if (config.demo) return drill;
  const found: (Advice | false)[] = [
    config.allowRegistration && {
      message: 'ALLOW_REGISTRATION=1: cualquiera que llegue a este servidor puede crear una cuenta.',
      remedy: 'Quita ALLOW_REGISTRATION e invita a las personas en Configuración › Usuarios.',
    },
    config.linkBase === '' && {
      message: `Sin PUBLIC_URL los enlaces de los correos llevan a ${config.publicUrl}.`,
      remedy: 'Escribe en PUBLIC_URL la dirección con la que otros llegan a este servidor.',
    },
    config.publicUrl.startsWith('http:') &&
      !isHere(config.publicUrl) && {
        message: 'PUBLIC_URL es http: las contraseñas y las claves viajan a la vista.',
        remedy: 'Pon delante un proxy con TLS y escribe PUBLIC_URL con https.',
      },
    config.smtpUrl !== null &&
      mailDomain(config.mailFrom) === 'localhost' && {
        message: 'MAIL_FROM es de localhost: muchos servidores de correo lo rechazan.',
        remedy: 'Escribe en MAIL_FROM una dirección de tu dominio.',
      },
    !config.genericAuthErrors &&
      config.linkBase !== '' &&
      !isHere(config.publicUrl) && {
        message: 'AUTH_ERRORS=specific dice a cualquiera si un usuario existe.',
        remedy: 'Escribe AUTH_ERRORS=generic en un servidor al que llegan otros.',
      },
  ];
  return [...drill, ...found.filter((advice) => advice !== false)];
}

export const configuration: Check = {
  id: 'configuration',
  needs: 'nothing',
  run: async ({ config }) => {
    const found = adviceOn(config);
    if (found.length === 0) return ok(config.demo ? 'Modo de demostración.' : 'Sin contradicciones.');
    return warning(
      found.map(({ message }) => message).join(' '),
      found.map(({ remedy }) => remedy).join(' '),
    );
  },
};
