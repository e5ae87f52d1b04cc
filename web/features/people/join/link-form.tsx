import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { useLinkToken } from '../../../api/link-token.ts';
import { OutsidePage } from '../../../components/frame/outside-page.tsx';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { linkTexts } from '../../../text/es-account.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { WideSubmit } from '../wide-submit.tsx';

interface LinkFormProps<Values extends Record<string, string>> {
  /** The page's path. A token from the link of another page is not used. */
  path: string;
  texts: { heading: string; lead: string; submit: string; submitting: string; ended: string };
  blank: Values;
  check: (values: Values) => Partial<Record<keyof Values, string | undefined>>;
  /** Sends the form with the token, which is valid once. */
  send: (values: Values, token: string) => Promise<void>;
  /** Shown if the link has expired; default: a link to the sign-in. */
  whenEnded?: ReactNode;
  children: (form: ReturnType<typeof usePlainForm<Values>>) => ReactNode;
}

/**
 * The form that opens from a link in a mail. Opening the page does not use the link, only its button does, so that
 * mail scanners do not use it up.
 */
export function LinkForm<Values extends Record<string, string>>({
  path,
  texts,
  blank,
  check,
  send,
  whenEnded = <ToSignIn />,
  children,
}: LinkFormProps<Values>) {
  const token = useLinkToken((link) => (link.path === path ? link.token : ''));
  const [endedToken, setEndedToken] = useState<string | null>(null);
  const form = usePlainForm<Values>({
    blank,
    check,
    send: (values) => send(values, token),
    onFailure: (error) => {
      const isEnded = error instanceof ApiError && error.code === 'invalid_token';
      if (isEnded) setEndedToken(token);
      return isEnded;
    },
  });
  if (token === '') {
    return (
      <OutsidePage heading={linkTexts.incomplete} lead={linkTexts.incompleteText}>
        <ToSignIn />
      </OutsidePage>
    );
  }
  if (endedToken === token) {
    return (
      <OutsidePage heading={linkTexts.ended} lead={texts.ended}>
        {whenEnded}
      </OutsidePage>
    );
  }
  return (
    <OutsidePage heading={texts.heading} lead={texts.lead}>
      <form {...form.form} className="flex flex-col gap-5">
        {children(form)}
        <WideSubmit
          label={texts.submit}
          busyLabel={texts.submitting}
          busy={form.busy}
          failure={form.failure}
        />
      </form>
    </OutsidePage>
  );
}

/** The link to the sign-in on these pages. */
export function ToSignIn() {
  return (
    <Link to={PATHS.signIn} className={buttonClass('primary', 'lg')}>
      {linkTexts.toSignIn}
    </Link>
  );
}
