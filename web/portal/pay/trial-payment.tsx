import { useState } from 'react';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { trialPayTexts as texts } from '../../text/es-pay.ts';
import { Banner, Failure } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Page } from '../page.tsx';
import { useWork } from '../use-work.ts';
import { payPath, returnPath } from './pay-address.ts';
import { PayDetail } from './pay-detail.tsx';
import { payCall } from './use-pay.ts';

const CHOICES = [
  { result: 'approve', label: texts.approve, busyLabel: texts.approving, variant: 'primary' },
  { result: 'reject', label: texts.reject, busyLabel: texts.rejecting, variant: 'secondary' },
  { result: 'later', label: texts.later, busyLabel: texts.postponing, variant: 'secondary' },
] as const;

/**
 * `/pagar/{code}/prueba`: replaces the page of a provider, so that paying can be tried without an account (PAY-03).
 */
export function TrialPayment({ code, answer }: { code: string; answer: PayPage }) {
  const { busy, error, run } = useWork();
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (result: (typeof CHOICES)[number]['result']) => {
    setChosen(result);
    void run(async () => {
      await payCall(code, 'demo', { result });
      window.location.assign(returnPath(code, result !== 'reject'));
    });
  };
  return (
    <Page title={texts.title} lead={texts.lead}>
      <PayDetail answer={answer} isPaid={false} />
      {answer.state === 'open' ? (
        <div className="flex flex-col gap-2.5">
          {CHOICES.map(({ result, label, busyLabel, variant }) => (
            <Button
              key={result}
              size="lg"
              variant={variant}
              busy={busy && chosen === result}
              busyLabel={busyLabel}
              onClick={() => choose(result)}
              className="h-12 text-base"
            >
              {label}
            </Button>
          ))}
          <p className="text-muted">{texts.laterHelp}</p>
          <Failure text={error?.message ?? null} />
        </div>
      ) : (
        <Banner tone="info">{texts.over}</Banner>
      )}
      <a href={payPath(code)} className={buttonClass('ghost', 'lg', 'w-full')}>
        {texts.back}
      </a>
    </Page>
  );
}
