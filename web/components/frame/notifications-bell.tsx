import { Bell } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { bellDescription, layoutTexts } from '../../text/es-layout.ts';
import { IconButton } from '../../ui/button.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { setNotificationsOpen, useUi } from '../screen/ui-store.ts';

/** The panel's code is large and rarely used, so it is loaded when the bell gets the pointer or the focus. */
const panel = codeOf(() => import('./notifications-panel.tsx'));
const NotificationsPanel = lazyComponent(panel, (module) => module.NotificationsPanel);
const loadPanel = () => void panel.fetch().catch(() => undefined);

/**
 * The bell of the top bar: licences that end soon, and other notifications (SEED-2.2-08, D022, LIFE-10). Its number
 * counts unread entries. If all are read but the panel has entries, a small dot is shown.
 */
export function NotificationsBell() {
  const count = useUi((state) => state.notifications.length);
  const [requested, setRequested] = useState(false);
  const countId = useId();
  const unread = useUi((state) => state.unread);
  const said = bellDescription(unread, count);

  const bell = (
    <IconButton
      label={layoutTexts.notifications}
      icon={Bell}
      aria-describedby={said === '' ? undefined : countId}
    />
  );
  const plainBell = (
    <IconButton
      label={layoutTexts.notifications}
      icon={Bell}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-describedby={said === '' ? undefined : countId}
      onPointerEnter={loadPanel}
      onFocus={loadPanel}
      onClick={() => {
        setRequested(true);
        setNotificationsOpen(true);
      }}
    />
  );
  return (
    <span className="relative inline-flex">
      {requested ? (
        <Suspense fallback={plainBell}>
          <NotificationsPanel trigger={bell} />
        </Suspense>
      ) : (
        plainBell
      )}
      {unread > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-0.5 right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-critical-fill text-on-brand px-1 text-[0.625rem]/none font-semibold ring-2 ring-surface"
        >
          {unread}
        </span>
      )}
      {unread === 0 && count > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-1.5 right-1.5 size-2 rounded-full bg-muted ring-2 ring-surface"
        />
      )}
      {said !== '' && (
        <span id={countId} className="sr-only">
          {said}
        </span>
      )}
    </span>
  );
}
