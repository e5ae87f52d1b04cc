import type { ReactNode } from 'react';
import type { Today } from '../../../contract/figures/today.ts';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { formatMoney } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TrendMark } from '../../ui/stat-card.tsx';
import { moneyTexts as texts } from './dashboard-texts.ts';

type Money = Today['money'][number];

/**
 * What was sold and collected this month, and what is still to be paid, each with what it is (MONEY-04). What was sold
 * is compared with the same days of last month. Amounts of different currencies are never added (MONEY-01): the
 * vendor's own comes first, and each other one has its lines below.
 */
export function MoneyCard({ today }: { today: Today | undefined }) {
  const readsPayments = useMay()('payments:read');
  const [own, ...others] = today?.money ?? [];
  const mixed = others.length > 0;
  const inMoney = (amount: number | null | undefined) =>
    own && amount !== null && amount !== undefined ? formatMoney(amount, own.currency, mixed) : undefined;
  return (
    <Card title={texts.title}>
      <dl className="grid gap-4 sm:max-xl:grid-cols-3">
        <Word label={texts.sold} value={inMoney(own?.sold)} is={texts.soldIs} large>
          <p className="mt-1 flex h-5.5 items-center gap-2">
            {own ? <Change money={own} mixed={mixed} /> : <Skeleton className="h-3 w-40" />}
          </p>
          <p className="mt-0.5 text-muted">
            {own ? (
              texts.toDate(own.sold_last_month_to_date, own.currency, mixed)
            ) : (
              <Skeleton className="h-4 w-48" />
            )}
          </p>
        </Word>
        {readsPayments && (
          <>
            <Word label={texts.collected} value={inMoney(own?.collected)} is={texts.collectedIs} />
            <Word
              label={texts.receivable}
              value={own && <Receivable money={own} mixed={mixed} />}
              is={own ? requestsOf(own) : texts.nothingReceivable}
            />
          </>
        )}
      </dl>
      {others.map((money) => (
        <InCurrency key={money.currency} money={money} />
      ))}
    </Card>
  );
}

interface WordProps {
  label: string;
  /** Undefined while it is loaded. */
  value: ReactNode | undefined;
  /** What it is. */
  is: string;
  large?: boolean;
  children?: ReactNode;
}

function Word({ label, value, is, large = false, children }: WordProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-xs">
        <p
          className={`${large ? 'text-2xl/8' : 'text-xl/7'} font-semibold tracking-tight tabular-nums wrap-anywhere`}
        >
          {value ?? <Skeleton className={large ? 'my-1.5 h-5 w-32' : 'my-1 h-5 w-28'} />}
        </p>
        <p className="text-muted">{is}</p>
        {children}
      </dd>
    </div>
  );
}

const requestsOf = ({ receivable_count }: Money) =>
  receivable_count ? texts.receivableIs(receivable_count) : texts.nothingReceivable;

/** The amount links to the open requests, unless there is none. */
function Receivable({ money: { receivable, receivable_count, currency }, mixed }: ChangeProps) {
  const amount = formatMoney(receivable ?? 0, currency, mixed);
  if (!receivable_count) return amount;
  return (
    <Link to={PATHS.payments} search={{ state: 'open' }} preload={false} className="hover:underline">
      {amount}
    </Link>
  );
}

interface ChangeProps {
  money: Money;
  mixed: boolean;
}

function Change({ money: { sold, sold_last_month_to_date: before, currency }, mixed }: ChangeProps) {
  const difference = sold - before;
  return (
    <>
      {/* If last month's amount is 0, there is no percentage. */}
      {before > 0 && <TrendMark change={(difference / before) * 100} />}
      <span className="min-w-0 truncate">{texts.difference(difference, currency, mixed)}</span>
    </>
  );
}

/** The three amounts in a currency that is not the vendor's. */
function InCurrency({ money }: { money: Money }) {
  const lines = [
    [texts.sold, money.sold],
    [texts.collected, money.collected],
    [texts.receivable, money.receivable],
  ] as const;
  return (
    <section
      aria-label={texts.inCurrency(money.currency)}
      className="mt-4 border-t border-border pt-3 text-xs"
    >
      <h3 className="font-medium">{texts.inCurrency(money.currency)}</h3>
      <dl className="mt-1 space-y-1 sm:max-xl:grid sm:max-xl:grid-cols-3 sm:max-xl:gap-4">
        {lines.map(
          ([label, amount]) =>
            amount !== null && (
              <div key={label} className="flex flex-wrap justify-between gap-x-3 sm:max-xl:justify-start">
                <dt className="text-muted">{label}</dt>
                <dd className="font-medium tabular-nums">{formatMoney(amount, money.currency, true)}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
