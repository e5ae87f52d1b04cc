/**
 * Examples of bodies, by method and path, for schemas that have none (`meta({ examples })`), such as those
 * whose fields are all optional. A PATCH of a record has the example of its PUT.
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
  'post /licenses/api/licenses/{id}/renew/': { expiry_days: 365, price: 1200 },
  'post /licenses/api/licenses/{id}/undo_renewal/': {},
  'post /licenses/api/licenses/{id}/extend/': { days: 15, reason: 'Pago en camino' },
  'post /licenses/api/licenses/{id}/suspend/': { reason: 'Factura vencida', notify: true },
  'post /licenses/api/licenses/{id}/reinstate/': { extend: true },
  'post /licenses/api/licenses/{id}/cancel/': { reason: 'Cerró la sucursal' },
  'post /licenses/api/licenses/{id}/transfer/': { client: 2, reason: 'Venta de la sucursal' },
  'post /licenses/api/licenses/{id}/replace_key/': { reason: 'La clave se publicó' },
  'patch /licenses/api/clients/bulk_update/': { ids: [1, 2], updates: { status: 'inactive' } },
  'put /licenses/api/clients/{id}/': { phone: '+525512345678', city: 'León' },
  'put /licenses/api/webhooks/{id}/': { types: ['license.*', 'client.created'] },
  'post /licenses/api/imports/{id}/run/': { notify: false },
  'put /licenses/api/settings/': { support_email: 'ayuda@example.com', reminder_days: [30, 7, 1] },
  'put /licenses/api/mail-templates/{kind}/': {
    subject: 'Tu licencia de {{ license.product }}',
    body: 'Hola {{ client.name }}:\n\nTu clave es {{ license.key }}.',
  },
  'post /licenses/api/mail-templates/{kind}/reset/': {},
  'post /licenses/api/mail-templates/{kind}/preview/': { license: 1 },
  'post /licenses/api/mail-templates/{kind}/test/': {},
  'post /licenses/api/notifications/read/': { ids: ['expiring:1'] },
};

/** The example of an operation's body; undefined where its schema has to have one. */
export const bodyExample = (method: string, path: string): object | undefined =>
  EXAMPLES[`${method} ${path}`] ?? (method === 'patch' ? EXAMPLES[`put ${path}`] : undefined);
