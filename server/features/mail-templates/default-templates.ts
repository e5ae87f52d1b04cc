import type { MailKind } from '../../../contract/mail/mails.ts';

export type TemplateTexts = { subject: string; body: string };

/** Clients are addressed with *usted*, staff with *tú* (DESK-08). */
const GREETING = 'Hola, {{ client.name }}:';
const TERMS = `| Software | {{ license.product }} {{ license.version }}
| Tipo de licencia | {{ license.type }}
| Máximo de equipos | {{ license.seats }}
| Fecha de emisión | {{ license.issued }}
| Vencimiento | {{ license.expires }}{% if license.updates %}
| Actualizaciones hasta | {{ license.updates }}{% endif %}`;
/** What was received when it was sold; nothing where no payment was noted (MONEY-05). */
const RECEIVED = `{% if payment.received %}
| Pago recibido | {{ payment.received }}
| Pagado con | {{ payment.method }}{% if payment.reference %} ({{ payment.reference }}){% endif %}
| Fecha del pago | {{ payment.paid }}{% if payment.withheld %}
| Impuesto retenido | {{ payment.withheld }}{% endif %}{% if payment.due %}
| Queda por pagar | {{ payment.due }}{% endif %}
{% endif %}`;
const FACTS = `| Clave de licencia | \`{{ license.key }}\`
${TERMS}`;
const KEEP_KEY =
  'Guarde esta clave en un lugar seguro. La necesitará para activar el programa en cada equipo.';
const NO_ACTION = 'No necesita hacer nada: la clave es la misma y sus equipos siguen activados.';
/** The way to the portal, in every mail to clients; an empty paragraph while the portal is closed. */
const PORTAL =
  '{% if portal_url %}En [su portal]({{ portal_url }}) están sus licencias y sus equipos. Entre con su correo, sin contraseña.{% endif %}';
const WRITE_US =
  '{% if support_email %}escríbanos a {{ support_email }}{% else %}responda a este correo{% endif %}';
const DOUBTS = `Si tiene alguna duda, ${WRITE_US}.`;
/** The end of every mail to clients. */
const CLOSING = [PORTAL, DOUBTS] as const;

const ofLicense = (subject: string, opening: string, ...advice: string[]): TemplateTexts => ({
  subject,
  body: [GREETING, opening, FACTS, ...advice, ...CLOSING].join('\n\n'),
});

/** The paid items, with tax and total. */
const PAID_LINES = `{% for concepto in lines %}
| {{ concepto.description }}{% if concepto.ends %} (hasta el {{ concepto.ends }}){% endif %} | {{ concepto.amount }}
{% endfor %}
{% if tax %}
| Subtotal | {{ subtotal }}
| Impuesto ({{ tax_rate }} %) | {{ tax }}
{% endif %}
| Total | {{ total }}`;

const TAX_WITHHELD = `{% if withheld %}
| Retención | {{ withheld }}
{% endif %}`;

/** What came in of a request that is paid in parts (MONEY-06). */
const PARTS_RECEIVED = `{% if received %}
| Ya recibimos | {{ received }}
{% endif %}
${TAX_WITHHELD}`;

const PRODUCT = '{{ license.product }} {{ license.version }}';

/** The program's own templates, valid until the vendor changes one (MAIL-01). They contain no price (D012). */
export const DEFAULT_TEMPLATES: Record<MailKind, TemplateTexts> = {
  license_issued: ofLicense(
    `Su licencia de ${PRODUCT}`,
    'Su licencia de {{ license.product }} ya está lista. Estos son sus datos:',
    RECEIVED,
    KEEP_KEY,
  ),
  licenses_issued: {
    subject: `Sus {{ count }} licencias de ${PRODUCT}`,
    body: [
      GREETING,
      'Sus {{ count }} licencias de {{ license.product }} ya están listas. Estos son sus datos:',
      TERMS,
      'Estas son sus claves:',
      `{% for licencia in licenses %}
| {{ licencia.number }} | \`{{ licencia.key }}\`
{% endfor %}`,
      RECEIVED,
      'Cada clave es de una licencia. Guárdelas en un lugar seguro: las necesitará para activar el programa en cada equipo.',
      ...CLOSING,
    ].join('\n\n'),
  },
  license_renewed: ofLicense(
    `{% if seats_added %}Más lugares en su licencia{% else %}Renovamos su licencia{% endif %} de ${PRODUCT}`,
    'Su licencia de {{ license.product }} {% if seats_added %}tiene {% if seats_added == 1 %}1 lugar{% else %}{{ seats_added }} lugares{% endif %} más{% else %}se renovó{% endif %}. Estos son sus datos:',
    RECEIVED,
    NO_ACTION,
  ),
  license_extended: ofLicense(
    `Prórroga de su licencia de ${PRODUCT}`,
    'Su licencia de {{ license.product }} tiene una prórroga. Estos son sus datos:',
    NO_ACTION,
  ),
  license_reminder: {
    subject:
      '{% if count == 1 %}{% for licencia in licenses %}Su licencia de {{ licencia.product }} {{ when }}{% endfor %}{% else %}{{ count }} de sus licencias {{ when }}{% endif %}',
    body: [
      GREETING,
      '{% if count == 1 %}Le recordamos que esta licencia {{ when }}:{% else %}Le recordamos que estas licencias necesitan su atención:{% endif %}',
      `{% for licencia in licenses %}
| {{ licencia.product }} {{ licencia.version }} | {{ licencia.when }} ({{ licencia.expires }})
{% endfor %}
{% if licenses.size < count %}
Estas son las primeras {{ licenses.size }} de {{ count }}.
{% endif %}`,
      '{% if payment_url %}[Pagar en línea]({{ payment_url }}){% endif %}',
      `Para renovar, {% if portal_url %}entre a [su portal]({{ portal_url }}) o {% endif %}${WRITE_US}. Si ya lo hizo, no necesita hacer nada más.`,
    ].join('\n\n'),
  },
  license_suspended: ofLicense(
    `Su licencia de ${PRODUCT} está suspendida`,
    'Su licencia de {{ license.product }} está suspendida: el programa no la acepta por ahora.',
    'Escríbanos si cree que es un error, o para reactivarla.',
  ),
  license_reinstated: ofLicense(
    `Su licencia de ${PRODUCT} está activa de nuevo`,
    'Su licencia de {{ license.product }} está activa de nuevo. Estos son sus datos:',
    NO_ACTION,
  ),
  license_cancelled: ofLicense(
    `Su licencia de ${PRODUCT} se canceló`,
    'Su licencia de {{ license.product }} se canceló: el programa ya no la acepta.',
    'Escríbanos si cree que es un error.',
  ),
  key_replaced: ofLicense(
    `Nueva clave de su licencia de ${PRODUCT}`,
    'Cambiamos la clave de su licencia de {{ license.product }}. La anterior ya no sirve; esta es la nueva:',
    'Escriba la clave nueva en el programa. Los equipos que ya estaban activados conservan su lugar.',
  ),
  license_transferred: ofLicense(
    `Una licencia de ${PRODUCT} ahora es suya`,
    'Se transfirió a su nombre una licencia de {{ license.product }}. Estos son sus datos:',
    KEEP_KEY,
  ),
  invitation: {
    subject: '{{ inviter }} te invita a la consola de {{ vendor }}',
    body: [
      'Hola, {{ user.name }}:',
      '{{ inviter }} te invita a trabajar en la consola de licencias de {{ vendor }}.',
      '[Aceptar la invitación]({{ link }})',
      'El enlace sirve una sola vez, durante {{ hours }} horas. Si no esperabas esta invitación, ignora este correo.',
    ].join('\n\n'),
  },
  password_reset: {
    subject: 'Elige una contraseña nueva',
    body: [
      'Hola, {{ user.name }}:',
      'Alguien pidió cambiar la contraseña de tu cuenta en la consola de {{ vendor }}.',
      '[Elegir una contraseña nueva]({{ link }})',
      'El enlace sirve una sola vez, durante {{ minutes }} minutos. Si no fuiste tú, ignora este correo: tu contraseña no cambia.',
    ].join('\n\n'),
  },
  api_key_expiring: {
    subject: 'La clave de API «{{ key.name }}» {{ key.when }}',
    body: [
      'Hola, {{ user.name }}:',
      'Una clave de API que creaste en la consola de {{ vendor }} {{ key.when }}. Desde ese momento, los programas que la usan dejan de tener acceso.',
      `| Clave | {{ key.name }}
| Termina en | \`{{ key.last_four }}\`
| Vence el | {{ key.expires }}`,
      'Reemplázala con tiempo: la anterior funciona 24 horas más, para que cambies la clave en tus programas. Si ya no la usas, no necesitas hacer nada.',
      '[Abrir las claves de API]({{ link }})',
    ].join('\n\n'),
  },
  webhook_disabled: {
    subject: 'Se desactivó un webhook de {{ vendor }}',
    body: [
      'Hola, {{ user.name }}:',
      'La consola de {{ vendor }} desactivó un webhook. El sistema que lo recibe ya no se entera de los cambios.',
      `| Dirección | {{ webhook.url }}
| Motivo | {{ webhook.reason }}
| Falla desde | {{ webhook.since }}`,
      'Revisa el sistema que lo recibe y activa el webhook de nuevo: se envía lo que quedó en espera de los últimos 3 días. Lo que ocurra mientras está desactivado no se envía.',
      '[Abrir los webhooks]({{ link }})',
    ].join('\n\n'),
  },
  portal_link: {
    subject: '{{ code }} es su código para entrar al portal de {{ vendor }}',
    body: [
      GREETING,
      'Este es su código para entrar al portal de {{ vendor }}:',
      '| Código | `{{ code }}`',
      'También puede entrar con este enlace, en el mismo equipo y navegador donde lo pidió:',
      '[Entrar al portal]({{ link }})',
      'Los dos sirven una sola vez, durante {{ minutes }} minutos. No comparta este correo. Si usted no lo pidió, ignórelo.',
    ].join('\n\n'),
  },
  portal_invitation: {
    subject: 'Sus licencias de {{ vendor }}, en un solo lugar',
    body: [
      GREETING,
      'En el portal de {{ vendor }} puede ver sus licencias y sus equipos, liberar uno que ya no usa y pedir una renovación. No necesita contraseña: escriba su correo, {{ client.email }}, y reciba un código.',
      '[Abrir el portal]({{ link }})',
      DOUBTS,
    ].join('\n\n'),
  },
  client_request: {
    subject: '{{ client.name }} pide {{ asked }}',
    body: [
      '{{ client.name }}{% if client.company %} ({{ client.company }}){% endif %} pide {{ asked }} en el portal de {{ vendor }}.',
      '| Licencia | `{{ license.key }}`\n| Software | {{ license.product }} {{ license.version }}\n| Vencimiento | {{ license.expires }}',
      '{% if message %}{{ message }}{% endif %}',
      '[Abrir la licencia]({{ link }})',
      'Al responder este correo le escribes al cliente, {{ client.email }}.',
    ].join('\n\n'),
  },
  payment_request: {
    subject: 'Su pago a {{ vendor }}: {{ due }}',
    body: [
      GREETING,
      'Este es el detalle de su pago a {{ vendor }}:',
      `${PAID_LINES}
{% if partial %}
${PARTS_RECEIVED}
| Falta por pagar | {{ due }}
{% endif %}`,
      '{% if note %}{{ note }}{% endif %}',
      '[Pagar {{ due }}]({{ link }})',
      '{% if instructions %}También puede pagar por transferencia:\n{{ instructions }}{% endif %}',
      '{% unless partial %}Este precio vale hasta el {{ expires }}. {% endunless %}Si ya pagó, no necesita hacer nada más.',
      ...CLOSING,
    ].join('\n\n'),
  },
  payment_received: {
    subject: 'Recibimos su pago a {{ vendor }}: {{ total }}',
    body: [
      GREETING,
      '{% if test %}Este fue un pago de prueba: no se cobró nada.{% else %}Recibimos su pago. Gracias.{% endif %}',
      PAID_LINES,
      `{% if partial %}
{% for pago in payments %}
| {{ pago.paid }}, {{ pago.provider }}{% if pago.reference %} ({{ pago.reference }}){% endif %} | {{ pago.amount }}
{% endfor %}
${TAX_WITHHELD}
{% else %}
| Pagado con | {{ provider }}{% if reference %} ({{ reference }}){% endif %}
| Fecha | {{ paid }}
{% endif %}`,
      'No necesita hacer nada más: sus claves son las mismas y sus equipos siguen activados.',
      ...CLOSING,
    ].join('\n\n'),
  },
  digest: {
    subject: 'Resumen semanal de {{ vendor }}',
    body: [
      'Hola, {{ user.name }}:',
      'Esto es lo que pide atención esta semana.',
      `| [Renovaciones en 30 días]({{ renewals_link }}) | {{ renewals_count }}{% if renewals_count > 0 %}, por {{ renewals_amount }}{% endif %}
| [Vencidas sin renovar]({{ expired_link }}) | {{ expired_count }}
| [Correos fallidos]({{ failed_link }}) | {{ failed_mails }}
| [Equipos sin señal en 7 días]({{ silent_link }}) | {{ silent_machines }}
| [Licencias casi llenas]({{ full_link }}) | {{ full_count }}`,
      `{% if renewals.size > 0 %}
# Por renovar
{% endif %}
{% for renovacion in renewals %}
- {{ renovacion.expires }}: {{ renovacion.client }}, {{ renovacion.product }}, {{ renovacion.amount }}
{% endfor %}`,
      `{% if expired.size > 0 %}
# Vencidas sin renovar
{% endif %}
{% for vencida in expired %}
- {{ vencida.expires }}: {{ vencida.client }}, {{ vencida.product }}
{% endfor %}`,
      `{% if full.size > 0 %}
# Casi sin lugares libres
{% endif %}
{% for llena in full %}
- {{ llena.client }}, {{ llena.product }}: {{ llena.used }} de {{ llena.seats }}
{% endfor %}`,
      '[Abrir la consola]({{ link }})',
    ].join('\n\n'),
  },
};
