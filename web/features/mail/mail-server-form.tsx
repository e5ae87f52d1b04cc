import {
  MAIL_SETTINGS_LABELS as LABELS,
  MAIL_PORTS,
  type MailSecurity,
  type MailSettings,
  type MailSettingsUpdate,
  MAIL_SERVER_MESSAGES as MESSAGES,
  mailSettingsUpdate,
} from '../../../contract/mail/mail-settings.ts';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { formOf, select, text } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { FormInputs } from '../../components/record/form-section.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { PORT_LABELS, SECURITY_LABELS, mailServerTexts as texts } from '../../text/es-mail-server.ts';
import { useSaveMailServer } from './mail-server.api.ts';

const TYPED_AS_IS = { autoCapitalize: 'none', spellCheck: false } as const;

const FIELDS = {
  host: text(LABELS.host, {
    required: true,
    wide: true,
    help: texts.hostHelp,
    props: { ...TYPED_AS_IS, inputMode: 'url' },
  }),
  port: select<string, number>(LABELS.port, PORT_LABELS, {
    blank: String(MAIL_PORTS[2]),
    help: texts.portHelp,
    read: ({ port }: MailSettings) => String(port),
    write: Number,
  }),
  security: select(LABELS.security, SECURITY_LABELS, { blank: 'starttls', help: texts.securityHelp }),
  username: text(LABELS.username, {
    help: texts.userHelp,
    props: { ...TYPED_AS_IS, autoComplete: 'off' },
  }),
  // The stored one is never shown: the field is blank, and a blank field does not change it.
  password: text(LABELS.password, {
    help: texts.passwordHelp,
    read: () => '',
    write: (typed) => (typed === '' ? undefined : typed) as string,
    words: () => '•••',
    props: { type: 'password', autoComplete: 'new-password', spellCheck: false },
  }),
  from: text(LABELS.from, { wide: true, props: TYPED_AS_IS }),
};
const FORM = formOf(FIELDS);

const SCHEMA = schemaOf(
  FIELDS,
  // A blank host would remove the server, which has a button of its own.
  mailSettingsUpdate.refine(({ host }) => host !== '', { path: ['host'], error: MESSAGES.host }),
);

/** What a mail server speaks at a port, unless it is set up otherwise. */
const usualSecurity = (port: string): MailSecurity => (port === '465' ? 'tls' : 'starttls');

interface MailServerFormProps {
  settings: MailSettings;
  onClose: () => void;
}

/** The dialog that sets or changes the mail server (DESK-07). */
export function MailServerForm({ settings, onClose }: MailServerFormProps) {
  const save = useSaveMailServer();
  const record = useRecordForm<typeof FORM.blank, MailSettingsUpdate, MailSettings>({
    ...FORM,
    schema: () => SCHEMA,
    // No draft, because it would store the password in the browser.
    name: null,
    record: settings,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: {
      created: texts.saved,
      updated: texts.saved,
      createFailed: texts.saveFailed,
      updateFailed: texts.saveFailed,
    },
    onSaved: onClose,
  });
  const { form, change } = record;
  const { onChange: onPort, ...port } = record.field('port');
  return (
    <FormDialog
      {...record.dialog}
      title={texts.title}
      submitLabel={texts.submit}
      busyLabel={texts.submitting}
      onClose={onClose}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <FormInputs
          fields={FIELDS}
          record={record}
          now={{
            port: {
              props: {
                ...port,
                onChange: (event: { target: { value: string } }) => {
                  const before = form.getValues('port');
                  // A security that fits the port is changed with it; another was chosen on purpose.
                  if (form.getValues('security') === usualSecurity(before))
                    change('security', usualSecurity(event.target.value));
                  return onPort(event);
                },
              },
            },
            password: settings.has_password ? { help: texts.passwordKept } : {},
            from: { help: texts.fromHelp(settings.from === '' ? settings.sender : '') },
          }}
        />
      </div>
    </FormDialog>
  );
}
