import type { KeyboardEvent, ReactNode } from 'react';
import type { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { accountTexts } from '../../../text/es-account.ts';
import { Failure } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';

interface CardFormProps {
  /** The accessible name. */
  label: string;
  form: Pick<ReturnType<typeof usePlainForm>, 'form' | 'failure' | 'busy'>;
  submit: string;
  busyLabel?: string;
  tone?: 'primary' | 'danger';
  disabled?: boolean;
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

/** A form inside a card: its fields, the failure message, its buttons. Escape cancels it, as in a note. */
export function CardForm({
  label,
  form: { form, failure, busy },
  submit,
  busyLabel = accountTexts.saving,
  tone = 'primary',
  disabled = false,
  onCancel,
  children,
}: CardFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !busy) onCancel?.();
  };
  return (
    <form {...form} onKeyDown={onKeyDown} aria-label={label} className="space-y-4">
      {children}
      <Failure text={failure} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={tone}
          busy={busy}
          busyLabel={busyLabel}
          disabled={disabled}
          className="max-sm:flex-1"
        >
          {submit}
        </Button>
        {onCancel && (
          <Button onClick={onCancel} className="max-sm:flex-1">
            {accountTexts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
