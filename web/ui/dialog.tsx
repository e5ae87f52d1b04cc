import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { cx } from './cx.ts';
import { DialogContent, firstControl } from './dialog-content.tsx';
import {
  CLOSE,
  CLOSE_CLASS,
  COLUMN_ACTIONS_CLASS,
  COLUMN_CLASS,
  COLUMN_CONTENT_CLASS,
  DIALOG_WIDTHS,
  HEADER_CLASS,
  PLACE_CLASS,
  POPUP_CLASS,
  STEADY_CLASS,
  TITLE_CLASS,
  TITLE_OVER_SUBJECT_CLASS,
  VIEWPORT_CLASS,
} from './dialog-look.ts';
import { DialogPanel, usePanel, usePanelPlace } from './dialog-panel.tsx';
import { useDialogPresence } from './dialog-place.tsx';
import type { DialogProps } from './dialog-props.ts';
import { focusAfter } from './final-focus.ts';
import { SUBJECT_NAME_CLASS, SubjectLine } from './subject-line.tsx';

export const BACKDROP_CLASS =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:pointer-events-none data-ending-style:opacity-0 data-starting-style:opacity-0';

/**
 * A modal dialog. On a narrow screen it fills the screen. Inside a `place` dialog, if there is space beside the data,
 * it replaces the actions from which it was opened.
 */
export function Dialog(props: DialogProps) {
  const place = usePanelPlace();
  return place === null ? <ModalDialog {...props} /> : <DialogPanel place={place} {...props} />;
}

function ModalDialog({
  open,
  onClose,
  title,
  description,
  subject,
  steady = false,
  size = 'md',
  footer,
  onSubmit,
  finalFocus,
  onGone,
  children,
}: DialogProps) {
  const bodyRef = useRef<HTMLDivElement>(null);
  const popupRef = useRef<HTMLDivElement>(null);
  const presence = useDialogPresence();
  const panel = usePanel(size === 'place' ? 'dialog' : null);
  const hasPanel = panel.close !== undefined;
  const hasColumn = size === 'place' && subject?.actions !== undefined;
  return (
    <BaseDialog.Root
      open={open && presence.open}
      disablePointerDismissal
      onOpenChange={(next) => {
        // A dialog that replaces the actions is closed first.
        if (!next) (panel.close ?? onClose)();
      }}
      onOpenChangeComplete={(next) => {
        if (next) return;
        presence.onGone();
        onGone?.();
      }}
    >
      <BaseDialog.Portal>
        {/* By default there is no backdrop over another dialog, but the dialog below must be dimmed too. */}
        <BaseDialog.Backdrop forceRender data-locks-scroll className={BACKDROP_CLASS} />
        <BaseDialog.Viewport className={cx(VIEWPORT_CLASS, 'data-ending-style:pointer-events-none')}>
          <BaseDialog.Popup
            // In a form the first field gets the focus, otherwise the dialog itself, so that screen readers start at
            // its title.
            ref={popupRef}
            initialFocus={(interaction) =>
              (interaction !== 'touch' && firstControl(bodyRef.current)) || popupRef.current
            }
            finalFocus={focusAfter(popupRef, finalFocus)}
            data-panel={hasPanel || undefined}
            className={cx(
              POPUP_CLASS,
              'transition-[opacity,translate,scale] duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0',
              'max-sm:data-ending-style:translate-y-4 max-sm:data-starting-style:translate-y-4',
              'sm:data-ending-style:scale-98 sm:data-starting-style:scale-98',
              DIALOG_WIDTHS[size],
              steady && STEADY_CLASS,
              hasColumn && PLACE_CLASS,
            )}
          >
            {panel.provide(
              <>
                <header
                  className={cx(HEADER_CLASS, hasColumn && 'max-lg:border-b-0 max-lg:pb-3 lg:col-span-2')}
                >
                  <BaseDialog.Title className={subject ? TITLE_OVER_SUBJECT_CLASS : TITLE_CLASS}>
                    {title}
                  </BaseDialog.Title>
                  {subject && (
                    <SubjectLine
                      {...subject}
                      // It also describes the dialog, so that screen readers announce it after the title.
                      name={
                        <BaseDialog.Description
                          // biome-ignore lint/a11y/useHeadingContent: the children become its content
                          render={<h3 />}
                          className={cx(SUBJECT_NAME_CLASS, 'text-lg/7')}
                        >
                          {subject.name}
                        </BaseDialog.Description>
                      }
                      actions={hasColumn ? undefined : subject.actions}
                      isBlocked={hasPanel}
                    />
                  )}
                  {description && (
                    <BaseDialog.Description className="mt-0.5 pr-9 text-sm text-muted">
                      {description}
                    </BaseDialog.Description>
                  )}
                </header>
                {hasColumn && (
                  <div ref={panel.columnRef} className={COLUMN_CLASS}>
                    <div hidden={hasPanel} className={cx(!hasPanel && COLUMN_CONTENT_CLASS)}>
                      <div className={COLUMN_ACTIONS_CLASS}>{subject.actions}</div>
                      {panel.isWide && subject.aside}
                    </div>
                  </div>
                )}
              </>,
            )}
            <DialogContent
              {...{ bodyRef, title, footer, onSubmit }}
              later={steady}
              className={cx(hasColumn && 'lg:col-start-1 lg:row-start-2')}
            >
              {panel.beside(subject?.aside !== undefined, children)}
            </DialogContent>
            {/* Last in the reading and Tab order, so that the fields come first. */}
            <BaseDialog.Close aria-label={CLOSE} data-dialog-close className={CLOSE_CLASS}>
              <X aria-hidden className="size-4.5" />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface DialogSectionProps {
  title: string;
  description?: ReactNode;
  /** The number of columns from 640 px on; on narrower windows one. */
  columns?: 1 | 2;
  children: ReactNode;
}

/** A section of a dialog under a small heading: its fields in one column, from 640 px on in two. */
export function DialogSection({ title, description, columns = 2, children }: DialogSectionProps) {
  return (
    // Not a named region, because it could have the same name as a field in it ('Notas', 'Estado').
    <section className="border-b border-border pb-6 last:border-0 last:pb-0">
      <h3 className="text-sm font-semibold text-text">{title}</h3>
      {description && <p className="mt-0.5 text-xs text-muted">{description}</p>}
      <div className={cx('mt-3 grid items-start gap-x-4 gap-y-4', columns === 2 && 'sm:grid-cols-2')}>
        {children}
      </div>
    </section>
  );
}
