import { z } from 'zod';
import { ROLE_LABELS, ROLES, type Role } from '../../../../contract/people/permissions.ts';
import { type StaffUser, type UserInput, userCreate } from '../../../../contract/people/users.ts';
import { EditRecord } from '../../../components/record/edit-record.tsx';
import { FormDialog } from '../../../components/record/form-dialog.tsx';
import { useRecordForm } from '../../../components/record/use-record-form.ts';
import { USER_LABELS as LABELS, ROLE_HELP, userTexts as texts } from '../../../text/es-people.ts';
import { DialogSection } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { userQuery, useSaveUser, type WithLink } from './users.api.ts';

type UserForm = Record<keyof typeof LABELS, string>;

const BLANK: UserForm = { names: '', last_name: '', username: '', email: '', role: 'operator' };

const toForm = ({ names, last_name, username, email, role }: StaffUser): UserForm => ({
  names,
  last_name,
  username,
  email,
  role,
});

const invitation = z
  .custom<UserForm>()
  .transform((form): unknown => form)
  .pipe(userCreate);
/** The user name stays. */
const change = z
  .custom<UserForm>()
  .transform((form): unknown => form)
  .pipe(userCreate.omit({ username: true }));

interface UserFormDialogProps {
  /** Null invites a person. */
  user: StaffUser | null;
  onClose: () => void;
  /** Called with the link of an invitation, where no mail can be delivered. */
  onInvited: (user: StaffUser & WithLink) => void;
}

/** 'Invitar a una persona' and 'Editar usuario' (PEOPLE-03). */
export function UserFormDialog({ user, onClose, onInvited }: UserFormDialogProps) {
  const save = useSaveUser(user?.id ?? null);
  const { field, error, dialog } = useRecordForm<UserForm, Partial<UserInput>, StaffUser>({
    schema: () => (user === null ? invitation : change),
    name: 'users',
    labels: LABELS,
    record: user,
    blank: BLANK,
    toForm,
    save: async (values, { updatedAt }) => {
      // Its answer may hold a link, which is not kept for a repeated call.
      const saved = await save.mutateAsync({ values, updatedAt, headers: {} });
      if (user === null) onInvited(saved);
    },
    texts: texts.toasts,
    show: (name, value) => (name === 'role' ? ROLE_LABELS[value as Role] : String(value ?? '')),
    onSaved: onClose,
  });
  return (
    <FormDialog
      {...dialog}
      size="md"
      title={user === null ? texts.inviteTitle : texts.edit}
      submitLabel={user === null ? texts.invite : texts.save}
      busyLabel={user === null ? texts.inviting : texts.saving}
      onClose={onClose}
    >
      <DialogSection title={texts.person}>
        <Field label={LABELS.names} required error={error('names')}>
          <TextInput {...field('names')} autoComplete="off" />
        </Field>
        <Field label={LABELS.last_name} error={error('last_name')}>
          <TextInput {...field('last_name')} autoComplete="off" />
        </Field>
        <Field
          label={LABELS.username}
          required={user === null}
          error={error('username')}
          help={user === null && texts.usernameHelp}
        >
          <TextInput
            {...field('username')}
            readOnly={user !== null}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={LABELS.email} required error={error('email')}>
          <TextInput {...field('email')} type="email" autoComplete="off" />
        </Field>
      </DialogSection>
      <DialogSection title={LABELS.role} columns={1}>
        <div role="radiogroup" aria-label={LABELS.role} className="grid gap-2">
          {ROLES.map((role) => (
            <label
              key={role}
              className="flex items-start gap-3 rounded-lg border border-border px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-tint"
            >
              <input
                {...field('role')}
                type="radio"
                value={role}
                aria-label={ROLE_LABELS[role]}
                aria-describedby={`rol-${role}`}
                className="mt-0.5 size-4 shrink-0 accent-brand"
              />
              <span className="min-w-0">
                <span className="block font-medium">{ROLE_LABELS[role]}</span>
                <span id={`rol-${role}`} className="block text-xs text-muted">
                  {ROLE_HELP[role]}
                </span>
              </span>
            </label>
          ))}
        </div>
        {error('role') && <p className="text-xs text-critical-text">{error('role')}</p>}
      </DialogSection>
    </FormDialog>
  );
}

interface UserEditDialogProps {
  id: number;
  /** The row of the list, if it is on this page: the form opens at once with its data. */
  row: StaffUser | undefined;
  onClose: () => void;
}

/** 'Editar usuario' for an id: opens with the row's data, then shows the fetched user. */
export const UserEditDialog = ({ id, row, onClose }: UserEditDialogProps) => (
  <EditRecord
    query={userQuery(id)}
    row={row}
    title={texts.edit}
    size="md"
    texts={texts.record}
    onClose={onClose}
  >
    {(user: StaffUser) => <UserFormDialog user={user} onClose={onClose} onInvited={() => {}} />}
  </EditRecord>
);
