/** Makes readable names for operations and their bodies: `renewLicense`, `RenewLicenseRequest`. */

/** Operations whose path does not describe what they do. */
const NAMES: Readonly<Record<string, string>> = {
  'get /api/health/ready/': 'getReadiness',
  'post /api/auth/login/': 'signIn',
  'post /api/auth/logout/': 'signOut',
  'get /api/auth/user/': 'getAccount',
  'put /api/auth/user/': 'updateAccount',
  'patch /api/auth/user/': 'patchAccount',
  'post /api/auth/register/': 'registerUser',
  'post /api/auth/refresh/': 'refreshSession',
  'post /api/auth/invitation/accept/': 'acceptInvitation',
  'post /api/auth/first-admin/': 'createFirstAdmin',
  'post /api/auth/password/forgot/': 'requestPasswordReset',
  'post /api/auth/password/reset/': 'resetPassword',
  'post /api/auth/password/change/': 'changePassword',
  'post /api/auth/step-up/': 'confirmIdentity',
  'get /api/auth/sessions/': 'listSessions',
  'delete /api/auth/sessions/{id}/': 'endSession',
  'post /api/auth/sessions/revoke_others/': 'endOtherSessions',
  'post /api/auth/mfa/verify/': 'verifySecondFactor',
  'post /api/auth/mfa/setup/': 'setUpSecondFactor',
  'post /api/auth/mfa/enable/': 'enableSecondFactor',
  'post /api/auth/mfa/disable/': 'disableSecondFactor',
  'post /api/auth/passkeys/sign-in/options/': 'startPasskeySignIn',
  'post /api/auth/passkeys/sign-in/': 'signInWithPasskey',
  'get /api/auth/passkeys/': 'listPasskeys',
  'post /api/auth/passkeys/options/': 'startPasskey',
  'post /api/auth/passkeys/': 'addPasskey',
  'patch /api/auth/passkeys/{id}/': 'renamePasskey',
  'delete /api/auth/passkeys/{id}/': 'removePasskey',
  'get /api/auth/oidc/start/': 'startOpenIdSignIn',
  'get /api/auth/oidc/callback/': 'receiveOpenIdSignIn',
  'post /api/auth/oidc/finish/': 'finishOpenIdSignIn',
  'post /api/auth/oidc/link/': 'linkIdentity',
  'delete /api/auth/oidc/': 'unlinkIdentity',
  'post /api/auth/link/': 'signInWithLink',
  'post /licenses/api/users/{id}/reset_mfa/': 'resetUserSecondFactor',
  'post /licenses/api/users/{id}/reset_link/': 'createUserResetLink',
  'delete /licenses/api/api-keys/{id}/': 'revokeApiKey',
  'get /.well-known/jwks.json': 'getPublicKeys',
  'post /licenses/api/signing-keys/rotate/': 'rotateSigningKeys',
  'post /licenses/api/software/register/': 'registerSoftware',
  'get /licenses/api/software/{id}/integration/': 'getSoftwareIntegration',
  'get /licenses/api/software/{id}/developer_kit/': 'getDeveloperKit',
  'post /licenses/api/software/{id}/trial_license/': 'issueTrialLicense',
  'patch /licenses/api/license-types/{id}/toggle-status/': 'toggleLicenseType',
  'post /licenses/api/installations/': 'activateInstallation',
  'post /licenses/api/installations/release/': 'releaseOwnInstallation',
  'delete /licenses/api/installations/{id}/': 'releaseInstallation',
  'post /licenses/api/installations/undo_release/': 'undoInstallationRelease',
  'post /licenses/api/installation/heartbeat/': 'sendHeartbeat',
  'post /licenses/api/license/validate/': 'validateLicense',
  'post /licenses/api/license/generate/': 'generateLicense',
  'post /licenses/api/licenses/batch/': 'issueLicenseBatch',
  'get /licenses/api/license/{id}/status/': 'getLicenseStatus',
  'post /licenses/api/licenses/bulk_action/preview/': 'previewLicenseBulkAction',
  'post /licenses/api/licenses/{id}/renew/preview/': 'previewLicenseRenewal',
  'post /licenses/api/licenses/{id}/add_seats/': 'addLicenseSeats',
  'post /licenses/api/licenses/{id}/add_seats/preview/': 'previewLicenseSeats',
  'post /licenses/api/licenses/{id}/replace_key/': 'replaceLicenseKey',
  'post /licenses/api/licenses/{id}/resend_email/': 'resendLicenseEmail',
  'post /licenses/api/licenses/{id}/undo_renewal/': 'undoLicenseRenewal',
  'post /licenses/api/licenses/{id}/certificate/': 'createLicenseCertificate',
  'post /licenses/api/licenses/{id}/file/': 'issueLicenseFile',
  'get /licenses/api/licenses/{id}/terms/': 'listLicenseTerms',
  'get /licenses/api/system/': 'getSystem',
  'post /licenses/api/system/check/': 'checkSystem',
  'get /licenses/api/system/jobs/': 'listSystemJobs',
  'post /licenses/api/system/jobs/{id}/retry/': 'retrySystemJob',
  'post /licenses/api/usage/': 'reportUsage',
  'post /licenses/api/trial/': 'startTrial',
  'get /licenses/api/licenses/{id}/usage/': 'listLicenseUsage',
  'post /licenses/api/licenses/{id}/usage/{code}/adjust/': 'adjustLicenseUsage',
  'get /licenses/api/verify/{code}/': 'verifyCertificate',
  'get /licenses/api/clients/{id}/data/': 'getClientData',
  'post /licenses/api/imports/': 'uploadImport',
  'get /licenses/api/imports/{id}/errors/': 'exportImportErrors',
  'get /licenses/api/reports/fiscal/check/': 'checkFiscalData',
  'get /licenses/api/reports/fiscal/export/': 'exportFiscalData',
  'get /licenses/api/search/': 'searchRecords',
  'get /licenses/api/settings/logo/': 'getLogo',
  'put /licenses/api/settings/logo/': 'updateLogo',
  'delete /licenses/api/settings/logo/': 'deleteLogo',
  'put /licenses/api/settings/': 'updateSettings',
  'get /licenses/api/unsubscribe/{token}/': 'getUnsubscribePage',
  'post /licenses/api/unsubscribe/{token}/': 'unsubscribe',
  'post /licenses/api/notifications/read/': 'markNotificationsRead',
  'get /licenses/api/today/': 'listToday',
  'post /licenses/api/today/{matter}/done/': 'markTodayDone',
  'post /licenses/api/today/{matter}/later/': 'postponeToday',
  'post /licenses/api/today/{matter}/reopen/': 'reopenToday',
  'get /licenses/api/portal/vendor/': 'getPortalVendor',
  'post /licenses/api/portal/sign-in/': 'requestPortalCode',
  'post /licenses/api/portal/sign-in/verify/': 'signInToPortal',
  'post /licenses/api/portal/sign-out/': 'signOutOfPortal',
  'get /licenses/api/portal/me/': 'getPortalClient',
  'patch /licenses/api/portal/me/': 'updatePortalClient',
  'get /licenses/api/portal/licenses/': 'listPortalLicenses',
  'get /licenses/api/portal/licenses/{id}/': 'getPortalLicense',
  'post /licenses/api/portal/licenses/{id}/file/': 'issuePortalFile',
  'post /licenses/api/portal/licenses/{id}/request/': 'sendPortalRequest',
  'post /licenses/api/portal/licenses/{id}/resend/': 'resendPortalEmail',
  'post /licenses/api/portal/licenses/{id}/certificate/': 'createPortalCertificate',
  'post /licenses/api/portal/licenses/{id}/pay/': 'payInPortal',
  'post /licenses/api/portal/installations/{id}/release/': 'releasePortalInstallation',
  'post /licenses/api/portal/ticket/': 'createPortalTicket',
  'post /licenses/api/payment-requests/{id}/mark_paid/': 'markPaymentRequestPaid',
  'post /licenses/api/payments/{id}/refund/': 'refundPayment',
  'post /licenses/api/payments/{provider}/notify/': 'receivePaymentNotification',
  'get /licenses/api/pay/{code}/': 'getPayPage',
  'post /licenses/api/pay/{code}/checkout/': 'openCheckout',
  'post /licenses/api/pay/{code}/check/': 'checkPayment',
  'post /licenses/api/pay/{code}/demo/': 'decideDemoPayment',
  'post /licenses/api/pay/{code}/notice/': 'notifyTransfer',
  'get /licenses/api/pay/{code}/receipt/': 'getReceipt',
  'get /licenses/api/settings/mail/': 'getMailSettings',
  'put /licenses/api/settings/mail/': 'updateMailSettings',
  'patch /licenses/api/settings/mail/': 'patchMailSettings',
  'post /licenses/api/settings/mail/test/': 'testMailServer',
  'get /licenses/api/mails/send_waiting/': 'countWaitingMails',
  'post /licenses/api/mails/send_waiting/': 'sendWaitingMails',
  'get /licenses/api/settings/payments/': 'getPaymentSettings',
  'put /licenses/api/settings/payments/': 'updatePaymentSettings',
  'patch /licenses/api/settings/payments/': 'patchPaymentSettings',
  'post /licenses/api/settings/payments/{provider}/test/': 'testPaymentAccount',
  'post /licenses/api/clients/{id}/merge/': 'mergeClients',
  'post /licenses/api/clients/{id}/merge/preview/': 'previewClientMerge',
  'post /licenses/api/clients/{id}/portal/invite/': 'inviteClientToPortal',
  'post /licenses/api/clients/{id}/portal/view/': 'viewPortalAsClient',
  'post /licenses/api/webhooks/{id}/rotate_secret/': 'rotateWebhookSecret',
  'get /licenses/api/webhooks/{id}/deliveries/': 'listWebhookDeliveries',
  'get /licenses/api/webhooks/{id}/deliveries/{delivery}/': 'getWebhookDelivery',
  'post /licenses/api/webhooks/{id}/deliveries/{delivery}/resend/': 'resendWebhookDelivery',
};

/** The name for one record of a collection, by its path segment. */
const RECORDS: Readonly<Record<string, string>> = {
  clients: 'client',
  software: 'software',
  licenses: 'license',
  'license-types': 'license-type',
  installations: 'installation',
  users: 'user',
  'api-keys': 'api-key',
  'signing-keys': 'signing-key',
  views: 'view',
  mails: 'mail',
  'mail-templates': 'mail-template',
  webhooks: 'webhook',
  imports: 'import',
  'payment-requests': 'payment-request',
  payments: 'payment',
  notes: 'note',
  jobs: 'job',
  events: 'event',
  notifications: 'notification',
};

const OF_COLLECTION: Readonly<Record<string, string>> = { get: 'list', post: 'create' };
const OF_RECORD: Readonly<Record<string, string>> = {
  get: 'get',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
};

const capitalized = (word: string) => word.replace(/^[a-z]/, (first) => first.toUpperCase());
const joined = (...words: string[]) =>
  words
    .flatMap((word) => word.split(/[^a-zA-Z]+/))
    .filter((word) => word !== '')
    .map((word, at) => (at === 0 ? word : capitalized(word)))
    .join('');

/** The name of an operation, different from all names in `taken`. */
export function operationId(method: string, path: string, taken: ReadonlySet<string>): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'api');
  const name =
    NAMES[`${method} ${path}`] ?? nameOf(method, path.startsWith('/licenses/api/') ? words.slice(1) : words);
  return taken.has(name) ? joined(method, ...words) : name;
}

function nameOf(method: string, words: string[]): string {
  const [collection = '', id, action] = words;
  const record = RECORDS[collection];
  if (collection === 'reports' && id) return joined(action === undefined ? 'get' : action, id, 'report');
  if (collection === 'statistics') return joined(method, id ?? '', 'statistics');
  if (record === undefined) return joined(method, ...words);
  if (id === undefined)
    return joined(OF_COLLECTION[method] ?? method, OF_COLLECTION[method] === 'create' ? record : collection);
  if (id === 'export') return joined('export', collection);
  if (id === 'bulk_update') return joined('bulk update', collection);
  if (id === 'bulk_action') return joined('run', record, 'bulk action');
  if (!id.startsWith('{')) return joined(method, ...words);
  if (action === undefined) return joined(OF_RECORD[method] ?? method, record);
  return joined(action, record);
}

/** The schema name of an operation's body. */
export const requestName = (operation: string): string => `${capitalized(operation)}Request`;
