import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { StaffUser } from '../../../../contract/people/users.ts';
import { orToast } from '../../../components/record/use-action.ts';
import { useOneAtATime } from '../../../components/record/use-one-at-a-time.ts';
import { USER_ACTION_TEXTS, type UserActionName } from '../../../text/es-people.ts';
import { fullName } from '../../../text/format.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useUserAction } from './users.api.ts';

/** What an administrator sees after an action: a link to hand over, where no mail can be delivered, then keys. */
export interface Handed {
  kind: 'invite' | 'reset_link';
  name: string;
  link: string | null;
  /** The person's API keys, which a new password does not end. */
  keys: readonly WorkingKey[];
}

export const nameOf = ({ names, last_name }: StaffUser) => fullName(names, last_name);

/** Does an action on a user and reports it; `onHanded` gets the link and the keys of an answer that has any. */
export function useActOn(onHanded: (handed: Handed) => void) {
  const { mutateAsync } = useUserAction();
  return (user: StaffUser, action: UserActionName): Promise<void> => {
    const texts = USER_ACTION_TEXTS[action];
    return orToast(texts.failed, async () => {
      const { link = null, api_keys: keys = [] } = await mutateAsync({ id: user.id, action });
      if (link === null) toasts.success(texts.done, nameOf(user));
      if ((action === 'invite' || action === 'reset_link') && (link !== null || keys.length > 0)) {
        onHanded({ kind: action, name: nameOf(user), link, keys });
      }
    });
  };
}

interface UserQuestionProps {
  user: StaffUser;
  action: UserActionName;
  /** Resolves when the action is done or refused. */
  onConfirm: () => Promise<void>;
  onCancel: () => void;
}

/** The question before an action that takes something away. */
export function UserQuestion({ user, action, onConfirm, onCancel }: UserQuestionProps) {
  const [confirm, busy] = useOneAtATime(onConfirm);
  const { question } = USER_ACTION_TEXTS[action];
  if (question === undefined) return null;
  return (
    <ConfirmDialog
      open
      title={question.title}
      text={question.text(nameOf(user))}
      confirmLabel={question.confirm}
      busy={busy}
      tone={action === 'reset_link' ? 'neutral' : 'danger'}
      onConfirm={confirm}
      onCancel={onCancel}
    />
  );
}
