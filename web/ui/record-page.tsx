import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Card } from './card.tsx';
import { cx } from './cx.ts';
import { usePanel } from './dialog-panel.tsx';
import type { DialogSubject } from './dialog-props.ts';
import { SUBJECT_NAME_CLASS, SubjectLine } from './subject-line.tsx';

interface RecordPageProps {
  title: string;
  /** The link to the list. */
  back: ReactNode;
  /** Absent while the record loads, or if there is none. */
  subject: DialogSubject | undefined;
  children: ReactNode;
}

/**
 * A record as a page (decision 143): name, state and actions on top, the content below. From 80 rem on, what one asks
 * for on the phone stands beside the content, and a `Dialog` or `ConfirmDialog` that the actions render takes its place.
 */
export function RecordPage({ title, back, subject, children }: RecordPageProps) {
  const titleId = useId();
  const nameId = useId();
  const pageRef = useRef<HTMLElement>(null);
  const panel = usePanel('page');
  const hasPanel = panel.close !== undefined;
  const hasColumn = subject?.aside !== undefined;
  const closePanel = (event: KeyboardEvent) => {
    // Menus, lists and dialogs above the page close themselves first.
    const { target } = event;
    const isOnPage = target instanceof Element && pageRef.current?.contains(target);
    if (event.key !== 'Escape' || event.defaultPrevented || !isOnPage) return;
    // A dialog above the page has just opened, and gets the focus in a moment.
    if (target.closest('[inert], [aria-hidden=true]') !== null) return;
    if (target.getAttribute('aria-expanded') === 'true' || panel.close === undefined) return;
    // The question whether typed text is lost opens meanwhile, and must not be closed by the same key.
    event.stopPropagation();
    panel.close();
  };
  return (
    <section
      ref={pageRef}
      aria-labelledby={titleId}
      aria-describedby={subject && nameId}
      data-record-page
      tabIndex={-1}
      onKeyDown={closePanel}
      className="outline-none"
    >
      {back}
      {panel.provide(
        <header className="mt-2">
          <h1 id={titleId} className="text-sm font-medium text-muted">
            {title}
          </h1>
          {subject && (
            <SubjectLine
              {...subject}
              name={
                <h2 id={nameId} className={cx(SUBJECT_NAME_CLASS, 'text-2xl tracking-tight')}>
                  {subject.name}
                </h2>
              }
              isBlocked={hasPanel}
            />
          )}
        </header>,
      )}
      <div
        data-panel={hasPanel || undefined}
        className={cx(
          'mt-5',
          hasColumn &&
            'xl:grid xl:grid-cols-[minmax(0,1fr)_20rem] xl:items-start xl:gap-6 xl:data-panel:grid-cols-[minmax(0,1fr)_27rem]',
        )}
      >
        <div className={cx('min-w-0', hasColumn && 'xl:col-start-1 xl:row-start-1')}>
          <Card>{panel.beside(hasColumn, children)}</Card>
        </div>
        {hasColumn && (
          <div
            ref={panel.columnRef}
            className={cx(
              // A question is short enough to be whole below the header; the facts may be longer.
              hasPanel ? 'xl:max-h-[max(24rem,calc(100dvh-17rem))]' : 'xl:max-h-[calc(100dvh-6.5rem)]',
              'flex flex-col rounded-xl border border-border bg-surface max-xl:hidden xl:sticky xl:top-20 xl:col-start-2 xl:row-start-1 print:static print:flex print:max-h-none print:border-0',
            )}
          >
            <div hidden={hasPanel} className={cx(!hasPanel && 'min-h-0 overflow-y-auto p-5')}>
              {panel.isWide && subject.aside}
            </div>
          </div>
        )}
      </div>
    </section>
  );
}
