import type { WorkingKey } from '../../../contract/people/api-keys.ts';
import type { Passkey } from '../../../contract/people/passkeys.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { UserRow } from '../../db/tables.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { fullName } from '../../lib/full-name.ts';
import type { MailServer } from '../../mailer.ts';
import type { Scope } from '../../scope.ts';
import { readMailStyle } from '../mail-templates/mail-templates.queries.ts';
import type { Fields } from '../mail-templates/mail-variables.ts';
import { renderTexts, senderOf, styleOf } from '../mail-templates/render-mail.ts';
import { enqueueMessage } from './enqueue-message.ts';

/**
 * Mails that report a change of a person's account. Their texts are fixed: they use neither a template nor settings.
 */

type Notice = {
  subject: string;
  /** What happened, as a sentence. It is a value, so it is not read as markup. */
  what: string;
  keys?: readonly WorkingKey[];
};

const NOTICE = {
  subject: '{{ subject }}',
  body: `Hola, {{ name }}:

{{ what }}

| Usuario | {{ username }}
| Lo hizo | {{ actor }}
| Cuándo | {{ moment }}
{% if ip %}
| Desde la dirección | {{ ip }}
{% endif %}

{% if keys.size > 0 %}
Estas claves de API, que creaste, siguen funcionando. Si alguien entró en tu cuenta, revócalas en Configuración › Claves de API:
{% endif %}
{% for key in keys %}
- {{ key }}
{% endfor %}

Si fuiste tú, no necesitas hacer nada. **Si no fuiste tú, avisa ahora mismo a un administrador de {{ vendor }}** y cambia tu contraseña.`,
};

/** No variable of a notice gives access. */
const FIELDS: Fields = {};

/**
 * Queues a notice in the transaction of the change that it reports.
 * @param to.addresses the recipients, if not only the person's present address: after a change, also the previous
 * address
 * @param to.via another mail server than the present one
 */
export async function queueNotice(
  scope: Scope,
  user: Pick<UserRow, 'id' | 'username' | 'names' | 'last_name' | 'email'>,
  { subject, what, keys = [] }: Notice,
  { addresses = [user.email], via }: { addresses?: readonly string[]; via?: MailServer } = {},
): Promise<void> {
  const { tx, now, timeZone, actor, origin } = scope;
  const known = [...new Set(addresses)].filter((address) => address !== '');
  if (known.length === 0) return;
  const style = await readMailStyle(tx, 'security_notice');
  const { frame, common } = styleOf(style, scope);
  const values = {
    ...common,
    subject,
    what,
    keys: keys.map(({ name, last_four }) => `${name} (…${last_four})`),
    name: fullName(user),
    username: user.username,
    actor: actor.name,
    moment: formatMoment(now, timeZone),
    ip: origin.ip,
  };
  const { subject: title, text, html } = await renderTexts(NOTICE, values, { fields: FIELDS, frame });
  for (const address of known) {
    await enqueueMessage(scope, {
      kind: 'security_notice',
      license_id: null,
      client_id: null,
      user_id: user.id,
      to_name: fullName(user),
      to_address: address,
      is_contact: false,
      headers: {},
      secrets: [],
      subject: title,
      body_text: text,
      body_html: html,
      ...senderOf(style.settings),
      ...(via && { via }),
    });
  }
}

const quoted = (names: readonly string[]) => names.map((name) => `«${name}»`).join(', ');

/** The texts of each notice. */
export const NOTICES = {
  email: (before: string, after: string): Notice => ({
    subject: 'Cambió el email de tu cuenta',
    what: `El email de tu cuenta cambió de ${shownMailAddress(before) || '(ninguno)'} a ${shownMailAddress(after) || '(ninguno)'}. Ahí llegan los enlaces para cambiar la contraseña.`,
  }),
  password: (keys: readonly WorkingKey[], passkeys: readonly Pick<Passkey, 'name'>[]): Notice => ({
    subject: 'Cambió la contraseña de tu cuenta',
    what: `La contraseña de tu cuenta cambió, y sus demás sesiones terminaron.${
      passkeys.length === 0
        ? ''
        : ` Estas llaves de acceso siguen entrando en tu cuenta: ${quoted(passkeys.map(({ name }) => name))}. Si alguna no es tuya, elimínala en Mi cuenta.`
    }`,
    keys,
  }),
  factorOn: {
    subject: 'Se activó la verificación en dos pasos',
    what: 'Desde ahora, para entrar en tu cuenta se pide también un código.',
  },
  factorOff: {
    subject: 'Se quitó la verificación en dos pasos',
    what: 'Desde ahora, para entrar en tu cuenta basta la contraseña.',
  },
  passkeyAdded: (name: string): Notice => ({
    subject: 'Se añadió una llave de acceso a tu cuenta',
    what: `Desde ahora se puede entrar en tu cuenta con la llave de acceso «${name}», sin contraseña ni código.`,
  }),
  passkeyRemoved: (name: string): Notice => ({
    subject: 'Se eliminó una llave de acceso de tu cuenta',
    what: `La llave de acceso «${name}» ya no entra en tu cuenta.`,
  }),
  /** After a reset by an administrator or at the command line. */
  reset: (hadFactor: boolean, passkeys: readonly string[]): Notice => ({
    subject: hadFactor ? 'Se quitó la verificación en dos pasos' : 'Se quitaron tus llaves de acceso',
    what: [
      hadFactor && 'Desde ahora, para entrar en tu cuenta basta la contraseña.',
      passkeys.length > 0 && `Ya no entran en tu cuenta estas llaves de acceso: ${quoted(passkeys)}.`,
      'Tus sesiones terminaron.',
    ]
      .filter((sentence) => sentence !== false)
      .join(' '),
  }),
  identityLinked: (provider: string): Notice => ({
    subject: `Tu cuenta se enlazó con ${provider}`,
    what: `Desde ahora se puede entrar en tu cuenta con ${provider}.`,
  }),
  identityUnlinked: (provider: string): Notice => ({
    subject: `Se quitó ${provider} de tu cuenta`,
    what: `Ya no se puede entrar en tu cuenta con ${provider}. Las demás sesiones que se abrieron así terminaron.`,
  }),
  /** An administrator by the claim of the issuer, whose password would not do. */
  weakPasswordRemoved: (provider: string): Notice => ({
    subject: 'Se quitó la contraseña de tu cuenta',
    what: `${provider} te dio el rol de administrador, y tu contraseña no alcanza para uno. Entra con ${provider}.`,
  }),
  signInLink: {
    subject: 'Se usó un enlace para entrar en tu cuenta',
    what: 'Alguien con acceso al servidor creó un enlace de un solo uso para entrar en tu cuenta, y se usó.',
  },
  mailServer: (before: string | null, after: string | null): Notice => ({
    subject: 'Cambió el servidor de correo',
    what: `${after === null ? 'Se quitó el servidor de correo: los correos quedan en la bandeja de salida.' : `Los correos salen ahora por ${after}.`} ${before === null ? 'Antes no había ninguno.' : `Antes salían por ${before}.`}`,
  }),
  key: (name: string, lastFour: string): Notice => ({
    subject: 'Se creó una clave de API con tu cuenta',
    what: `Se creó la clave de API «${name}», que termina en ${lastFour}. Los programas que la tienen pueden hacer lo que sus permisos dicen.`,
  }),
} as const;
