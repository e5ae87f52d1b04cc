import { useId, useState } from 'react';
import type { MailServerTested } from '../../../contract/mail/mail-settings.ts';
import { useSession } from '../../api/session.ts';
import { usePlainForm } from '../../components/record/use-plain-form.ts';
import { actions } from '../../text/es.ts';
import { mailServerTexts as texts } from '../../text/es-mail-server.ts';
import { Banner, Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { testMailServer } from './mail-server.api.ts';

interface Result extends MailServerTested {
  to: string;
}

/** The dialog that sends a test mail, and shows what the mail server said (DESK-07). */
export function MailServerTest({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const own = useSession(({ user }) => user?.email ?? '');
  const [result, setResult] = useState<Result | null>(null);
  const { busy, failure, error, field, form } = usePlainForm({
    blank: { to: own },
    check: () => ({}),
    send: async ({ to }) => {
      setResult(null);
      setResult({ ...(await testMailServer(to.trim())), to: to.trim() || own });
    },
  });
  return (
    <Dialog
      open
      size="md"
      title={texts.testTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{actions.close}</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy} busyLabel={texts.testing}>
            {texts.testSubmit}
          </Button>
        </>
      }
    >
      <form id={formId} {...form}>
        <Field label={texts.testTo} error={error('to')}>
          <TextInput {...field('to')} type="email" autoComplete="email" placeholder={own} />
        </Field>
      </form>
      <Failure text={failure} />
      {result && <Outcome {...result} />}
    </Dialog>
  );
}

function Outcome({ success, text, code, to }: Result) {
  return (
    <Banner
      tone={success ? 'success' : 'critical'}
      announce={success ? 'status' : 'alert'}
      title={success ? texts.tested(to) : texts.testFailed}
    >
      {/* Only with a code are these the words of the server itself. */}
      {text !== '' && (
        <p>
          {code !== null && `${texts.answered} `}
          <span className="wrap-anywhere">{code === null ? capitalized(text) : text}</span>
        </p>
      )}
      {success && <p className="mt-1">{texts.testHint}</p>}
    </Banner>
  );
}

/** Our own words are parts of sentences in other places. */
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
