import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useConnection } from '../../api/connection.ts';
import { connectionTexts, states } from '../../text/es.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import type { DialogSize } from '../../ui/dialog-look.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { ScreenError } from './screen-error.tsx';

interface DialogCodeProps {
  /** The dialog's title. */
  title: string;
  size?: DialogSize | undefined;
  onClose: () => void;
  /** The dialog, created with `lazyComponent`. */
  children: ReactNode;
}

/**
 * Wraps a dialog whose code is loaded on demand. It shows the dialog's frame with its title at once, and a message if
 * the connection is lost. Give it a `key` for each kind of dialog: React shows the fallback of a new <Suspense> at
 * once, but delays it in one that has shown content before.
 */
export function DialogCode({ title, size, onClose, children }: DialogCodeProps) {
  const frame = (content: ReactNode) => (
    <DialogFrame title={title} size={size} onClose={onClose}>
      {content}
    </DialogFrame>
  );
  return (
    <CatchBoundary
      getResetKey={() => title}
      errorComponent={(failure) => frame(<ScreenError {...failure} />)}
    >
      <Suspense fallback={frame(<OnItsWay />)}>{children}</Suspense>
    </CatchBoundary>
  );
}

function OnItsWay() {
  const lost = useConnection(({ state }) => state === 'lost');
  if (lost) return <ConnectionBanner announce="alert">{connectionTexts.dialogOpensLater}</ConnectionBanner>;
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2">
      <span className="sr-only">{states.loading}</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((field) => (
        <div key={field} className="space-y-2">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-9 w-full rounded-lg" />
        </div>
      ))}
    </div>
  );
}
