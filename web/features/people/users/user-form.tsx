import { z } from 'zod';
import { ROLE_LABELS, ROLES, type Role } from '../../../../contract/people/permissions.ts';
import { type StaffUser, type UserInput, userCreate } from '../../../../contract/people/users.ts';
import { shownMailAddress } from '../../../../contract/reading/mail-addresses.ts';
import { useMailOffer } from '../../../components/client/field-offers.tsx';
import { editDialog } from '../../../components/record/edit-record.tsx';
import { FormDialog } from '../../../components/record/form-dialog.tsx';
import { formOf, special, text } from '../../../components/record/form-fields.ts';
import { schemaOf } from '../../../components/record/form-schema.ts';
import { FormSection } from '../../../components/record/form-section.tsx';
import { useRecordForm } from '../../../components/record/use-record-form.ts';
import { USER_LABELS as LABELS, ROLE_HELP, userTexts as texts } from '../../../text/es-people.ts';
import { DialogSection } from '../../../ui/dialog.tsx';
import { userQuery, useSaveUser, type WithLink } from './users.api.ts';

const PERSON = {
  names: text(LABELS.names, { required: true }),
  last_name: text(LABELS.last_name),
  email: text(LABELS.email, {
    required: true,
    props: { type: 'email' },
    read: ({ email }: StaffUser) => shownMailAddress(email),
  }),
  username: text(LABELS.username, {
    props: { autoCapitalize: 'none', spellCheck: false },
  }),
};
const FIELDS = {
  ...PERSON,
  role: special<string, string>(LABELS.role, {
    blank: 'operator',
    read: ({ role }: StaffUser) => role,
    write: (role) => role,
    words: (role) => ROLE_LABELS[role as Role],
  }),
};
/** What is asked about a person who has not said the own name yet. */
const UNNAMED = { email: PERSON.email };
const FORM = formOf(FIELDS);
const { email, role } = userCreate.shape;
/** The person says the own name when accepting the invitation, and the user name is made of the email (decision 147). */
const INVITATION = schemaOf(FIELDS, z.object({ email, role }));
/** The user name cannot be changed. */
const CHANGE = schemaOf(FIELDS, userCreate.omit({ username: true }));
/** Who was invited by email alone has no name yet, and a change need not say one. */
const CHANGE_OF_UNNAMED = schemaOf(FIELDS, z.object({ email, role }));

interface UserFormDialogProps {
  /** The user to edit; null invites a person. */
  user: StaffUser | null;
  onClose: () => void;
  /** Called with the link of an invitation, if no mail can be delivered. */
  onInvited: (user: StaffUser & WithLink) => void;
}

/** 'Invitar a una persona' and 'Editar usuario' (PEOPLE-03). */
export function UserFormDialog({ user, onClose, onInvited }: UserFormDialogProps) {
  const save = useSaveUser(user?.id ?? null);
  const record = useRecordForm<typeof FORM.blank, Partial<UserInput>, StaffUser>({
    ...FORM,
    schema: () => (user === null ? INVITATION : user.names === '' ? CHANGE_OF_UNNAMED : CHANGE),
    name: 'users',
    record: user,
    save: async (values, { updatedAt }) => {
      // No Idempotency-Key is sent: the answer may contain a link, which must not be stored for a repeated call.
      const saved = await save.mutateAsync({ values, updatedAt, headers: {} });
      if (user === null) onInvited(saved);
    },
    texts: texts.toasts,
    onSaved: onClose,
  });
  const isUnnamed = user === null || user.names === '';
  const emailOffer = useMailOffer({
    typed: record.form.watch('email'),
    onUse: (email) => {
      record.change('email', email);
      record.form.setFocus('email');
    },
  });
  const emailNow = { warning: emailOffer, ...(user === null && { help: texts.inviteHelp }) };
  return (
    <FormDialog
      {...record.dialog}
      size="md"
      title={user === null ? texts.inviteTitle : texts.edit}
      submitLabel={user === null ? texts.invite : texts.save}
      busyLabel={user === null ? texts.inviting : texts.saving}
      onClose={onClose}
    >
      {isUnnamed ? (
        <FormSection
          title={texts.person}
          columns={1}
          fields={UNNAMED}
          record={record}
          now={{ email: emailNow }}
        />
      ) : (
        <FormSection
          title={texts.person}
          fields={PERSON}
          record={record}
          now={{ email: emailNow, username: { props: { readOnly: true } } }}
        />
      )}
      <DialogSection title={LABELS.role} columns={1}>
        <div role="radiogroup" aria-label={LABELS.role} className="grid gap-2">
          {ROLES.map((role) => (
            <label
              key={role}
              className="flex items-start gap-3 rounded-lg border border-border px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-tint"
            >
              <input
                {...record.field('role')}
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
        {record.error('role') && <p className="text-xs text-critical-text">{record.error('role')}</p>}
      </DialogSection>
    </FormDialog>
  );
}

/** The dialog 'Editar usuario': opens with the row's data, then shows the fetched user. */
export const UserEditDialog = editDialog({
  query: userQuery,
  texts: texts,
  size: 'md',
  form: (user: StaffUser, onClose) => <UserFormDialog user={user} onClose={onClose} onInvited={() => {}} />,
});
