import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import type { StaffUser } from '../../../../contract/people/users.ts';
import { orToast } from '../../../components/record/use-action.ts';
import { USER_ACTION_TEXTS, type UserActionName } from '../../../text/es-people.ts';
import { fullName } from '../../../text/format.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { useUserAction } from './users.api.ts';

/**
 * The dialogs for an administrator after an action: a link to pass on, if no mail can be delivered, then the person's
 * keys.
 */
export interface Handed {
  kind: 'invite' | 'reset_link';
  name: string;
  link: string | null;
  /** The person's API keys, which stay valid after a new password. */
  keys: readonly WorkingKey[];
}

/** The name of a user; the email until an invited person says the own name. */
export const nameOf = ({ names, last_name, email, email_shown = email }: StaffUser) =>
  fullName(names, last_name) || email_shown;

/** Runs an action on a user and shows the result. `onHanded` is called if the answer has a link or keys. */
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
  /** Resolves after the action was done or refused. */
  onConfirm: () => Promise<void>;
  onCancel: () => void;
}

/** The confirmation of an action that removes access or sessions. */
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
