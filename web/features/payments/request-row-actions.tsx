import { BadgeCheck, Copy, Eye, ReceiptText, Send } from 'lucide-react';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { plainMenu, RowMenu } from '../../components/list/row-menu.tsx';
import { actions, screens } from '../../text/es.ts';
import { registerTexts } from '../../text/es-charges.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { requestTexts as texts } from './payments-texts.ts';

/** What can be done with a row; null for people who may not. */
export interface RequestRowActions {
  see: (request: PaymentRequest) => void;
  /** Opens the receipt of its last payment (MONEY-12). */
  receipt: (request: PaymentRequest) => void;
  pay: ((request: PaymentRequest) => void) | null;
  copy: (request: PaymentRequest) => void;
  remind: ((request: PaymentRequest) => void) | null;
}

/** The items of a row's menu: what its state allows. */
function itemsOf(
  request: PaymentRequest,
  { see, pay, copy, remind, receipt }: RequestRowActions,
): MenuItem[] {
  const isOpen = request.state === 'open';
  return [
    { label: paymentTexts.see_one, icon: Eye, onChoose: () => see(request) },
    ...(isOpen && pay
      ? [{ label: registerTexts.action, icon: BadgeCheck, onChoose: () => pay(request) }]
      : []),
    ...(isOpen ? [{ label: paymentTexts.copyLink, icon: Copy, onChoose: () => copy(request) }] : []),
    ...(isOpen && remind ? [{ label: texts.remind, icon: Send, onChoose: () => remind(request) }] : []),
    ...(request.paid_amount > 0
      ? [{ label: screens.receipt, icon: ReceiptText, onChoose: () => receipt(request) }]
      : []),
  ];
}

/** The last column of the requests: 'Registrar pago' of an open one, and the menu (MONEY-13). */
export const requestActionsColumn = (on: RequestRowActions): Column<PaymentRequest> => ({
  key: 'actions',
  header: actions.column,
  align: 'end',
  noPrint: true,
  min: 10,
  phone: 'menu',
  cell: (request) => (
    <div className="flex items-center justify-end gap-2">
      {request.state === 'open' && on.pay && (
        <TextButton
          className="whitespace-nowrap @max-[36rem]/data-table:hidden"
          aria-label={registerTexts.of(texts.nameOf(request.id))}
          onClick={() => on.pay?.(request)}
        >
          {registerTexts.action}
        </TextButton>
      )}
      <RowMenu className="">{plainMenu(itemsOf(request, on))}</RowMenu>
    </div>
  ),
});
