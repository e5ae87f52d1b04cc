/** Shortened: what a browser sends is longer. */
const PASSKEY_PARTS = { id: 'GCyGR5Yo3rQ', rawId: 'GCyGR5Yo3rQ', type: 'public-key' };
const NEW_PASSKEY_RESPONSE = {
  ...PASSKEY_PARTS,
  response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9u', transports: ['internal'] },
};
const SIGN_IN_RESPONSE = {
  ...PASSKEY_PARTS,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoi',
    authenticatorData: 'SZYN5YgOjGh0',
    signature: 'MEUCIQDN0c0b',
    userHandle: '5Yx7pRk3Tg',
  },
};

/**
 * Examples of bodies, by method and path, for schemas without examples (`meta({ examples })`), such as those whose
 * fields are all optional. The PATCH of a record has the same example as its PUT.
 */
const EXAMPLES: Record<string, object> = {
  'post /api/auth/login/': { username: 'admin', password: 'admin123' },
  'put /api/auth/user/': { names: 'Ana', weekly_digest: true },
  'post /api/auth/register/': {
    username: 'ana',
    password: 'cuatro palabras al azar',
    names: 'Ana',
    last_name: 'Ríos',
    email: 'ana@example.com',
  },
  'post /api/auth/refresh/': { refresh_token: 'el refresh_token de la respuesta anterior' },
  'post /api/auth/invitation/accept/': { token: 'el token del enlace', password: 'cuatro palabras al azar' },
  'post /api/auth/first-admin/': {
    token: 'el token del enlace',
    username: 'ana',
    password: 'cuatro palabras al azar',
    names: 'Ana',
    email: 'ana@example.com',
  },
  'post /api/auth/password/forgot/': { email: 'ana@example.com' },
  'post /api/auth/password/reset/': { token: 'el token del enlace', password: 'cuatro palabras al azar' },
  'post /api/auth/password/change/': { current_password: 'admin123', password: 'cuatro palabras al azar' },
  'post /api/auth/step-up/': { password: 'admin123' },
  'post /api/auth/mfa/verify/': { mfa_token: 'el mfa_token de la respuesta anterior', code: '123456' },
  'post /api/auth/mfa/setup/': { password: 'admin123' },
  'post /api/auth/mfa/enable/': { code: '123456' },
  'post /api/auth/mfa/disable/': { password: 'admin123', code: '123456' },
  'post /api/auth/passkeys/sign-in/': { token: 'el token de las opciones', response: SIGN_IN_RESPONSE },
  'post /api/auth/passkeys/': { response: NEW_PASSKEY_RESPONSE, name: 'Portátil' },
  'patch /api/auth/passkeys/{id}/': { name: 'Tableta' },
  'post /api/auth/oidc/finish/': { token: 'el token que sigue a /login#oidc=' },
  'post /api/auth/oidc/link/': { token: 'el token que sigue a /login#oidc=' },
  'post /api/auth/link/': { token: 'el token que sigue a /login#k=' },
  'post /licenses/api/users/': { email: 'ana@example.com', role: 'support' },
  'put /licenses/api/users/{id}/': { role: 'support' },
  'post /licenses/api/signing-keys/rotate/': {},
  'patch /licenses/api/software/bulk_update/': { ids: [1, 2], updates: { is_active: false } },
  'put /licenses/api/software/{id}/': { description: 'Caja, inventario y facturas' },
  'put /licenses/api/license-types/{id}/': { base_price: 1500, grace_days: 7 },
  'post /licenses/api/license/generate/': { client: 1, software: 1, license_type_config: 1 },
  'patch /licenses/api/licenses/bulk_update/': { ids: [1, 2], updates: { max_installations: 10 } },
  'post /licenses/api/installations/undo_release/': { undo: 'v1.Zm9y' },
  'put /licenses/api/licenses/{id}/': { max_installations: 10, notes: 'Sucursal norte' },
  'post /licenses/api/licenses/bulk_action/preview/': { action: 'renew', filters: { expiring_within: 30 } },
  'post /licenses/api/licenses/{id}/renew/preview/': { expiry_days: 365 },
  'post /licenses/api/licenses/{id}/undo_renewal/': {},
  'patch /licenses/api/clients/bulk_update/': { ids: [1, 2], updates: { status: 'inactive' } },
  'put /licenses/api/clients/{id}/': { phone: '+525512345678', city: 'León' },
  'put /licenses/api/notes/{id}/': { pinned: false },
  'put /licenses/api/webhooks/{id}/': { types: ['license.*', 'client.created'] },
  'post /licenses/api/portal/sign-out/': { all: false },
  'patch /licenses/api/portal/me/': { phone: '+525512345678', reminders: true },
  'post /licenses/api/payment-requests/{id}/cancel/': {},
  'post /licenses/api/payment-requests/{id}/send/': {},
  'post /licenses/api/settings/payments/{provider}/test/': {},
  'post /licenses/api/pay/{code}/check/': {},
  'post /licenses/api/payments/{provider}/notify/': { type: 'payment', data: { id: '123' } },
  'post /licenses/api/portal/licenses/{id}/certificate/': {},
  'post /licenses/api/portal/licenses/{id}/resend/': {},
  'post /licenses/api/imports/{id}/run/': { notify: false },
  'put /licenses/api/settings/': { support_email: 'ayuda@example.com', reminder_days: [30, 7, 1] },
  'put /licenses/api/mail-templates/{kind}/': {
    subject: 'Su licencia de {{ license.product }}',
    body: 'Hola {{ client.name }}:\n\nSu clave es {{ license.key }}.',
  },
  'post /licenses/api/mail-templates/{kind}/reset/': {},
  'post /licenses/api/mail-templates/{kind}/preview/': { license: 1 },
  'post /licenses/api/mail-templates/{kind}/test/': {},
  'post /licenses/api/notifications/read/': { ids: ['expiring:1'] },
};

/** The example of an operation's body; undefined if its schema must have one. */
export const bodyExample = (method: string, path: string): object | undefined =>
  EXAMPLES[`${method} ${path}`] ?? (method === 'patch' ? EXAMPLES[`put ${path}`] : undefined);
