import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ClientMoneyAnswer, ClientMoney as Money } from '../../../contract/payments/payments.ts';
import { request } from '../../api/http.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { clientMoneyTexts as texts } from '../../text/es-charges.ts';
import { formatDate } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Fact } from '../../ui/facts.tsx';
import { formatPaid } from '../payment/paid-amount.ts';
import { RequestLink } from '../payment/request-link.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { DialogCode } from '../screen/dialog-code.tsx';

const charge = codeOf(() => import('./new-charge-dialog.tsx'));
const NewChargeDialog = lazyComponent(charge, (module) => module.NewChargeDialog);

const moneyQuery = (client: number) => ({
  // What changes a payment or a licence fetches it again.
  queryKey: [KEYS.payment_requests, 'money', client],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request<ClientMoneyAnswer>('GET', `${apiOf('clients', client)}money/`, { signal }),
  staleTime: 0,
});

/** A client's money: what it bought, what came in, what is due, and its last payment (MONEY-13). */
export function ClientMoney({ client }: { client: number }) {
  const mayRead = useMay()('payments:read');
  const mayCharge = useOffers()('payment_requests.create');
  const { data } = useQuery({ ...moneyQuery(client), enabled: mayRead });
  const [isCharging, setIsCharging] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  if (!mayRead || data === undefined) return null;
  const close = () => setIsCharging(false);
  return (
    <DialogSection title={texts.title} columns={1}>
      {data.results.length === 0 && <p className="text-muted">{texts.nothing}</p>}
      {data.results.map((money) => (
        <MoneyFacts key={money.currency} money={money} />
      ))}
      {mayCharge && (
        <p data-print="hidden">
          <Button
            ref={buttonRef}
            size="sm"
            icon={HandCoins}
            onPointerEnter={() => void charge.fetch().catch(() => undefined)}
            onClick={() => setIsCharging(true)}
          >
            {texts.charge}
          </Button>
        </p>
      )}
      <DialogPlace open={isCharging}>
        {isCharging && (
          <DialogCode title={texts.charge} size="md" onClose={close}>
            <NewChargeDialog clientId={client} onClose={close} finalFocus={() => buttonRef.current} />
          </DialogCode>
        )}
      </DialogPlace>
    </DialogSection>
  );
}

function MoneyFacts({ money }: { money: Money }) {
  const price = (amount: number) => formatPaid(amount, money.currency);
  const { last_payment: last, receivable_count: open } = money;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
      <Fact label={texts.sold}>
        <span className="block whitespace-nowrap">{price(money.sold)}</span>
        <span className="block text-xs text-muted">{texts.soldHelp}</span>
      </Fact>
      <Fact label={texts.collected}>
        <span className="block whitespace-nowrap">{price(money.collected)}</span>
        <span className="block text-xs text-muted">{texts.withTax}</span>
      </Fact>
      <Fact label={texts.receivable}>
        <span className="block whitespace-nowrap">{price(money.receivable)}</span>
        <span className="block text-xs text-muted">
          {open > 0 && `${texts.requests(open)}, `}
          {texts.withTax}
        </span>
      </Fact>
      <Fact label={texts.last}>
        {last === null ? (
          <span className="text-muted">{texts.never}</span>
        ) : (
          <>
            <RequestLink id={last.payment_request}>{price(last.amount)}</RequestLink>
            <span className="block text-xs text-muted">{formatDate(last.paid_at)}</span>
          </>
        )}
      </Fact>
    </dl>
  );
}
