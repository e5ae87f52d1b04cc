import type { AccountProvider, ChargebackAction } from '../../contract/payments/payment-words.ts';
import { actions } from './es.ts';
import { buttons } from './es-buttons.ts';

/** Texts of Configuración › Pagos. */

export const CHARGEBACK_LABELS: Record<ChargebackAction, string> = {
  notify: 'Solo avisar',
  suspend: 'Avisar y suspender la licencia',
};

/** The fields of each provider, named as at the provider. */
export const PROVIDER_FIELDS: Record<
  AccountProvider,
  { token: string; tokenHelp: string; secretHelp: string }
> = {
  mercado_pago: {
    token: 'Access token',
    tokenHelp: 'En Tus integraciones › tu aplicación › Credenciales. Empieza con APP_USR- o TEST-.',
    secretHelp: 'En Webhooks › Clave secreta. Sin ella los avisos tardan hasta un minuto más.',
  },
  stripe: {
    token: 'Clave secreta',
    tokenHelp: 'En Desarrolladores › Claves de API. Empieza con sk_live_, sk_test_ o rk_.',
    secretHelp: 'El secreto de firma del destino, que empieza con whsec_. Sin él no se aceptan avisos.',
  },
};

export const paymentSettingsTexts = {
  loading: 'Cargando los pagos...',
  notFound: 'No se encontró la configuración de pagos',
  failed: 'Error al cargar la configuración de pagos',
  form: 'Pagos',
  enabled: 'Ofrecer a los clientes',
  enabledHelp: 'Necesita credenciales y una dirección pública con https.',
  keeps: (lastFour: string) => `Guardado, termina en ${lastFour}. Escribe otro para cambiarlo.`,
  keepsSecret: 'Guardado. Escribe otro para cambiarlo.',
  webhookSecret: 'Secreto de los avisos',
  forget: 'Quitar las credenciales guardadas',
  forgetHelp: 'Deja de ofrecerse a los clientes.',
  account: 'Cuenta',
  noAccount: 'Sin credenciales',
  testMode: 'Modo de prueba: no se cobra',
  liveMode: 'Cobra de verdad',
  notifyAddress: 'Dirección para los avisos',
  notifyHelp: (provider: string) => `Pégala en ${provider}, donde pide la URL del webhook.`,
  copy: actions.copy,
  copied: buttons.copied,
  test: 'Probar conexión',
  testing: 'Probando...',
  testDone: 'La conexión funciona',
  testDoneText: (account: string, currency: string) => `Cuenta ${account} · ${currency}`,
  testFailed: 'La conexión no funciona',
  testHint: 'Guarda los cambios antes de probar.',
  transfer: 'Transferencia o depósito',
  instructions: 'Instrucciones para el cliente',
  instructionsHelp:
    'Lo que haga falta decir además: cómo depositar, a dónde mandar el comprobante. Aparecen en la página de pago.',
  chargebackTitle: 'Contracargos',
  chargeback: 'Cuando un cliente desconoce un cargo',
  chargebackHelp: 'Un contracargo es dinero que el banco te quita. Siempre se avisa en Para hoy.',
  charging: 'Al cobrar',
  taxRateHelp: 'Se suma una vez al total de cada cobro. Los precios de las licencias van sin impuesto.',
  inRemindersHelp:
    'Cada aviso lleva un enlace para renovar pagando. Usa {{ payment_url }} si cambiaste la plantilla.',
  asks: 'Para guardar se pide tu contraseña: quien cambia la cuenta, recibe el dinero.',
  saved: 'Pagos guardados',
  saveFailed: 'Error al guardar los pagos',
} as const;
