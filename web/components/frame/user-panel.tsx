import { UserPlus, UserRoundCog } from 'lucide-react';
import type { ReactElement } from 'react';
import type { User } from '../../../contract/people/auth.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { screens } from '../../text/es.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { fullName, initialsOf } from '../../text/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Offered } from '../screen/offered.tsx';
import { DigestSwitch } from './digest-switch.tsx';

interface UserPanelProps {
  user: User;
  trigger: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The panel under the user's name in the top bar: full name, user name, email address, and a link to 'Mi cuenta'. */
export function UserPanel({ user, trigger, open, onOpenChange }: UserPanelProps) {
  return (
    <Popover title={layoutTexts.account} trigger={trigger} open={open} onOpenChange={onOpenChange}>
      <div className="flex items-center gap-3 p-2">
        <Avatar initials={initialsOf(user.names, user.last_name)} size="lg" />
        <div className="min-w-0">
          <p className="font-medium break-words">{fullName(user.names, user.last_name)}</p>
          <p className="text-xs break-words text-muted">{user.email_shown ?? user.email}</p>
          <p className="mt-1 text-xs break-words text-muted">
            {layoutTexts.username} <span className="font-medium text-text">{user.username}</span>
          </p>
        </div>
      </div>
      <div className="grid gap-2 p-2 pt-1">
        <Link
          to={PATHS.account}
          onClick={() => onOpenChange(false)}
          className={buttonClass('secondary', 'md', 'w-full')}
        >
          <UserRoundCog aria-hidden className="size-4 shrink-0" />
          {screens.account}
        </Link>
        <Offered what="users.manage">
          <Link
            to={PATHS.users}
            search={{ nuevo: '1' }}
            onClick={() => onOpenChange(false)}
            className={buttonClass('secondary', 'md', 'w-full')}
          >
            <UserPlus aria-hidden className="size-4 shrink-0" />
            {layoutTexts.invite}
          </Link>
        </Offered>
      </div>
      <div className="border-t border-border p-2 pt-3">
        <DigestSwitch />
      </div>
    </Popover>
  );
}
