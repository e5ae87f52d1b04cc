import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EMAIL_REQUIRED } from '../../../../contract/base/required.ts';
import { useMailIsStored } from '../../../api/email-transport.ts';
import { healthQuery } from '../../../api/health-api.ts';
import { request } from '../../../api/http.ts';
import { OutsidePage } from '../../../components/frame/outside-page.tsx';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { forgotTexts as texts } from '../../../text/es-account.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { WideSubmit } from '../wide-submit.tsx';

/** /olvide-mi-contrasena: requests a link to set a new password. The answer is the same for every address. */
export function ForgotPage() {
  const [answer, setAnswer] = useState<string | null>(null);
  const { form, field, error, failure, busy } = usePlainForm({
    blank: { email: '' },
    check: ({ email }) => ({ email: email.trim() === '' ? EMAIL_REQUIRED : undefined }),
    send: async ({ email }) => {
      const { message } = await request<{ message: string }>('POST', '/api/auth/password/forgot/', {
        body: { email: email.trim() },
        ownSession: {},
      });
      setAnswer(message);
    },
  });
  // Fetched here because nobody is signed in: the health answer contains the mail transport.
  useQuery(healthQuery);
  const isStored = useMailIsStored();
  const back = (
    <Link to={PATHS.signIn} className={buttonClass(answer === null ? 'ghost' : 'primary', 'lg')}>
      {texts.back}
    </Link>
  );
  if (answer !== null) {
    return (
      <OutsidePage heading={isStored ? texts.stored : texts.sent} lead={<span role="status">{answer}</span>}>
        <p className="text-muted">{isStored ? texts.holdStored : texts.hold}</p>
        {back}
      </OutsidePage>
    );
  }
  return (
    <OutsidePage
      heading={texts.heading}
      lead={isStored ? <span className="text-warning-text">{texts.leadStored}</span> : texts.lead}
    >
      <form {...form} className="flex flex-col gap-5">
        <Field label={texts.email} error={error('email')}>
          <TextInput {...field('email')} type="email" autoComplete="email" autoFocus className="h-11" />
        </Field>
        <WideSubmit label={texts.submit} busyLabel={texts.submitting} busy={busy} failure={failure} />
        {back}
      </form>
    </OutsidePage>
  );
}
