import { type ReactNode, useCallback } from 'react';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { DialogCode } from '../screen/dialog-code.tsx';
import { RefusedForm } from '../screen/refused-form.tsx';
import { OVER_LIST, useCloseDialog } from './dialog-step.ts';

/** Opens and closes the form of a record over its page, at `?editar=7`; Back closes it. */
export function usePageForm(id: number) {
  const navigate = useNavigate();
  const change = useCallback(
    (editar: number | undefined, step: object) =>
      void navigate({ to: '.', search: (now) => ({ ...now, editar }) as typeof now, ...step }),
    [navigate],
  );
  return {
    onEdit: () => change(id, { state: OVER_LIST, resetScroll: false }),
    onClose: useCloseDialog(() => change(undefined, { replace: true })),
  };
}

interface PageFormProps {
  kind: 'clients' | 'licenses';
  title: string;
  open: boolean;
  onClose: () => void;
  /** The dialog with the form. */
  children: ReactNode;
}

/** The form of a record over its page. For people who may not change it a text explains that. */
export function PageForm({ kind, title, open, onClose, children }: PageFormProps) {
  const isOffered = useOffers()(`${kind}.edit`);
  return (
    <DialogPlace open={open}>
      {open && (
        <DialogCode title={title} size="lg" onClose={onClose}>
          {isOffered ? children : <RefusedForm title={title} size="lg" onClose={onClose} />}
        </DialogCode>
      )}
    </DialogPlace>
  );
}
