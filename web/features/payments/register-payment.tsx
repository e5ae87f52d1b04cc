import { useQuery } from '@tanstack/react-query';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { LoadError } from '../../components/screen/load-error.tsx';
import { registerTexts as texts } from '../../text/es-charges.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';
import { requestQuery } from './payments.api.ts';

interface RegisterPaymentProps {
  id: number;
  /** The request, if it is on the page of the list. */
  row: PaymentRequest | undefined;
  onClose: () => void;
}

/** 'Registrar pago' for the request that a row or an address names (MONEY-13). */
export function RegisterPayment({ id, row, onClose }: RegisterPaymentProps) {
  const { data, error, refetch, isFetching } = useQuery({ ...requestQuery(id), enabled: row === undefined });
  const request = row ?? data;
  if (request !== undefined && request.state === 'open')
    return <MarkPaidDialog request={request} onClose={onClose} />;
  return (
    <Dialog open size="sm" title={texts.action} onClose={onClose}>
      {error !== null ? (
        <LoadError title={texts.failed} error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : request === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <p>{texts.notOpen}</p>
      )}
    </Dialog>
  );
}
