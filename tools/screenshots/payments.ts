import type { Page } from '@playwright/test';
import type { View } from './view.ts';

/** Opens the form with which a client gives notice of a transfer. */
const openNotice = async (page: Page) => {
  await page.getByRole('button', { name: 'Ya hice la transferencia' }).click();
  await page.getByLabel('Día de la transferencia').waitFor();
};

/** Opens the form of a payment that a person records. */
const openPayment = async (page: Page) => {
  await page.getByRole('button', { name: 'Registrar pago' }).click();
  await page.getByLabel('Cómo se pagó').waitFor();
};

/** Goes from the payment page to the page 'Pago de prueba'. */
const pressPay = async (page: Page) => {
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await page.getByRole('button', { name: 'Aprobar' }).waitFor();
};

/** The page to pay, and Cobros. */
export const PAYMENTS: View[] = [
  { name: 'pay-open', address: '/pagar/', pays: 'open', ready: 'Su pago', signedOut: true },
  { name: 'pay-trial', address: '/pagar/', pays: 'open', ready: 'Su pago', signedOut: true, act: pressPay },
  { name: 'pay-paid', address: '/pagar/', pays: 'paid', ready: 'Recibimos su pago', signedOut: true },
  { name: 'pay-pending', address: '/pagar/', pays: 'pending', ready: 'está en camino', signedOut: true },
  {
    name: 'pay-notice',
    address: '/pagar/',
    pays: 'open',
    ready: 'Su pago',
    signedOut: true,
    act: openNotice,
  },
  { name: 'pay-noticed', address: '/pagar/', pays: 'noticed', ready: 'Usted avisó', signedOut: true },
  { name: 'pay-partial', address: '/pagar/', pays: 'partial', ready: 'lo que falta', signedOut: true },
  {
    name: 'pay-receipt',
    address: '/pagar/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
    signedOut: true,
  },
  {
    name: 'pay-receipt-printed',
    address: '/pagar/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
    signedOut: true,
    act: (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'pay-cancelled', address: '/pagar/', pays: 'cancelled', ready: 'se canceló', signedOut: true },
  { name: 'pay-unknown', address: '/pagar/x', ready: 'No encontramos este pago', signedOut: true },
  { name: 'payments', address: '/payments', ready: 'falta cobrar' },
  {
    name: 'payments-new',
    address: '/payments?nuevo=1&cliente=5',
    ready: 'Siguiente paso',
    act: (page) => page.getByRole('dialog').getByRole('checkbox').first().waitFor(),
  },
  { name: 'payments-first', address: '/payments', ready: 'Cobros', empty: true },
  { name: 'payments-received', address: '/payments/pagos', ready: 'Exportar' },
  { name: 'payment-request', address: '/payments/', pays: 'open', ready: 'Enlace de pago' },
  {
    name: 'payment-request-noticed',
    address: '/payments/',
    pays: 'noticed',
    ready: 'avisó que ya transfirió',
  },
  { name: 'payment-request-partial', address: '/payments/', pays: 'partial', ready: 'Enlace de pago' },
  {
    name: 'payment-receipt',
    address: '/payments/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
  },
  { name: 'payment-request-paid', address: '/payments/', pays: 'paid', ready: 'Pago de prueba' },
  {
    name: 'payment-request-pay',
    address: '/payments/',
    pays: 'open',
    ready: 'Enlace de pago',
    act: openPayment,
  },
  {
    name: 'payment-request-refund',
    address: '/payments/',
    pays: 'paid',
    ready: 'Pago de prueba',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reembolsar' }).click();
      await page.getByText('por devolver').waitFor();
    },
  },
  {
    name: 'license-charge',
    address: '/licenses?expiring_within=30',
    ready: 'Renovar',
    act: async (page) => {
      await page.getByRole('button', { name: 'Más acciones' }).filter({ visible: true }).last().click();
      await page.getByRole('menuitem', { name: 'Cobrar' }).click();
      await page.getByLabel('Total', { exact: true }).waitFor();
    },
  },
];
