import { useState } from 'react';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { useOffers } from '../../api/offers.ts';
import { noticeTexts as texts } from '../../text/es-transfers.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { useMayRegister } from './may-register.ts';
import { ConfirmTransferDialog, DismissNoticeDialog } from './notice-dialogs.tsx';

/** The client's notice of a transfer in the details of its request, with the two answers (MONEY-11). */
export function NoticeBanner({ request }: { request: PaymentRequest }) {
  const { transfer_notice: notice, state, client, id } = request;
  const isOffered = useOffers();
  const mayRegister = useMayRegister();
  const [asked, setAsked] = useState<'confirm' | 'dismiss' | null>(null);
  if (notice === null) return null;
  const close = () => setAsked(null);
  const confirms = state === 'open' && mayRegister;
  const dismisses = isOffered('payment_requests.dismiss_notice');
  return (
    <>
      <Banner
        tone="warning"
        title={texts.title}
        announce="note"
        action={
          (confirms || dismisses) && (
            <div className="flex flex-wrap gap-2">
              {confirms && (
                <Button size="sm" variant="primary" onClick={() => setAsked('confirm')}>
                  {texts.confirm}
                </Button>
              )}
              {dismisses && (
                <Button size="sm" onClick={() => setAsked('dismiss')}>
                  {texts.notArrived}
                </Button>
              )}
            </div>
          )
        }
      >
        {`${texts.said(notice)}. ${texts.look}`}
      </Banner>
      <DialogPlace open={asked !== null}>
        {asked === 'confirm' && <ConfirmTransferDialog id={id} onClose={close} />}
        {asked === 'dismiss' && <DismissNoticeDialog id={id} client={client.name} onClose={close} />}
      </DialogPlace>
    </>
  );
}
