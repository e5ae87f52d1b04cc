import { AlertDialog } from '@base-ui/react/alert-dialog';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, type Ref, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { BACKDROP_CLASS } from './dialog.tsx';
import { DialogPanel, type PanelPlace, usePanelPlace } from './dialog-panel.tsx';
import { useDialogPresence } from './dialog-place.tsx';
import { type FinalFocus, focusAfter } from './final-focus.ts';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  cancelLabel?: string;
  /** True while the action runs: the button shows `busyLabel`, and the dialog cannot be closed. */
  busy?: boolean;
  tone?: 'danger' | 'neutral';
  onConfirm: () => void;
  /** Called by Cancelar or Escape. */
  onCancel: () => void;
  finalFocus?: FinalFocus;
}

/**
 * A confirmation dialog, 24 rem wide (D102). It may open above another dialog. Opened from the actions of a `place`
 * dialog, it replaces the actions, like `Dialog`. The safe answer has the focus first.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const place = usePanelPlace();
  return place === null ? <ModalConfirm {...props} /> : <ConfirmPanel place={place} {...props} />;
}

function ConfirmPanel({
  place,
  open,
  title,
  text,
  busy = false,
  onCancel,
  finalFocus,
  ...answers
}: ConfirmDialogProps & { place: PanelPlace }) {
  const cancelRef = useRef<HTMLButtonElement>(null);
  const textId = useId();
  const cancel = () => {
    if (!busy) onCancel();
  };
  return (
    <DialogPanel
      {...{ place, open, title, ...(finalFocus && { finalFocus }) }}
      alert={{ textId, safeRef: cancelRef }}
      onClose={cancel}
      footer={<Answers {...answers} {...{ cancelRef, cancel, busy }} />}
    >
      <p id={textId} className="text-muted wrap-anywhere">
        {text}
      </p>
    </DialogPanel>
  );
}

interface AnswersProps
  extends Pick<ConfirmDialogProps, 'confirmLabel' | 'busyLabel' | 'cancelLabel' | 'tone' | 'onConfirm'> {
  cancelRef: Ref<HTMLButtonElement>;
  cancel: () => void;
  busy: boolean;
}

function Answers({
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancelar',
  tone = 'neutral',
  onConfirm,
  cancelRef,
  cancel,
  busy,
}: AnswersProps) {
  return (
    <>
      <Button ref={cancelRef} onClick={cancel} aria-disabled={busy || undefined}>
        {cancelLabel}
      </Button>
      <Button
        variant={tone === 'danger' ? 'danger' : 'primary'}
        busy={busy}
        busyLabel={busyLabel}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
    </>
  );
}

function ModalConfirm({
  open,
  title,
  text,
  busy = false,
  onCancel,
  finalFocus,
  ...answers
}: ConfirmDialogProps) {
  const cancelRef = useRef<HTMLButtonElement>(null);
  const popupRef = useRef<HTMLDivElement>(null);
  const presence = useDialogPresence();
  const cancel = () => {
    if (!busy) onCancel();
  };
  return (
    <AlertDialog.Root
      open={open && presence.open}
      onOpenChange={(next) => {
        if (!next) cancel();
      }}
      onOpenChangeComplete={(next) => {
        if (!next) presence.onGone();
      }}
    >
      <AlertDialog.Portal>
        {/* By default a nested dialog has no backdrop, but here the parent dialog must be dimmed too. */}
        <AlertDialog.Backdrop forceRender data-locks-scroll className={BACKDROP_CLASS} />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-center justify-center p-4 data-ending-style:pointer-events-none">
          <AlertDialog.Popup
            initialFocus={cancelRef}
            ref={popupRef}
            finalFocus={focusAfter(popupRef, finalFocus)}
            className="w-full max-w-[24rem] rounded-xl bg-raised p-5 shadow-over outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0"
          >
            <div className="flex items-start gap-3">
              {answers.tone === 'danger' && (
                <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-critical-tint text-critical-text">
                  <TriangleAlert aria-hidden className="size-4.5" />
                </span>
              )}
              <div className="min-w-0">
                <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
                <AlertDialog.Description className="mt-1 text-sm text-muted">{text}</AlertDialog.Description>
              </div>
            </div>
            <div className="mt-5 flex justify-end gap-2 max-sm:*:flex-1">
              <Answers {...answers} {...{ cancelRef, cancel, busy }} />
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
