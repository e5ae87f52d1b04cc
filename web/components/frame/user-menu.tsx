import { Suspense, useState } from 'react';
import type { User } from '../../../contract/people/auth.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { fullName, initialsOf } from '../../text/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';

/** The panel's code is large and rarely used, so it is loaded when the name gets the pointer or the focus. */
const panel = codeOf(() => import('./user-panel.tsx'));
const UserPanel = lazyComponent(panel, (module) => module.UserPanel);
const loadPanel = () => void panel.fetch().catch(() => undefined);

/**
 * The signed-in user (SEED-2.2-09 to -11). On a narrow screen only the initials are shown, and they open the panel.
 */
export function UserMenu({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const [requested, setRequested] = useState(false);
  const trigger = (
    <button
      type="button"
      className="flex min-w-0 items-center gap-2 rounded-lg p-1 text-left transition-colors hover:bg-sunken sm:gap-3 pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:max-md:justify-center"
      {...(!requested && {
        'aria-haspopup': 'dialog',
        'aria-expanded': false,
        onPointerEnter: loadPanel,
        onFocus: loadPanel,
        onClick: () => {
          setRequested(true);
          setOpen(true);
        },
      })}
    >
      <Avatar initials={initialsOf(user.names, user.last_name)} size="sm" />
      <span className="sr-only">{`${layoutTexts.account}: `}</span>
      <span className="min-w-0 max-w-52 leading-4 max-md:sr-only">
        <span className="block truncate text-sm font-medium">{fullName(user.names, user.last_name)}</span>
        <span className="block truncate text-xs text-muted">{user.email_shown ?? user.email}</span>
      </span>
    </button>
  );
  if (!requested) return trigger;
  return (
    <Suspense fallback={trigger}>
      <UserPanel user={user} trigger={trigger} open={open} onOpenChange={setOpen} />
    </Suspense>
  );
}
