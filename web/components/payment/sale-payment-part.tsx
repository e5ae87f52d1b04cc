import { useMay } from '../../api/permissions.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import type { SalePaymentFieldsProps } from './sale-payment-fields.tsx';

const SalePaymentFields = lazyComponent(
  codeOf(() => import('./sale-payment-fields.tsx')),
  (module) => module.SalePaymentFields,
);

/** 'Pago' in a form that sells something (MONEY-05): only for who may note payments, and loaded with the form. */
export const SalePaymentPart = (props: SalePaymentFieldsProps) =>
  useMay()('payments:write') && <SalePaymentFields {...props} />;
