import { useState } from 'react';
import { request } from '../../api/http.ts';
import { checkNewPassword, NewPasswordField } from '../../components/new-password-field.tsx';
import { OutsidePage } from '../../components/outside-page.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { resetTexts } from '../../text/es-account.ts';
import { buttonClass } from '../../ui/button.tsx';
import { LinkForm, ToSignIn } from './link-form.tsx';

/** /restablecer: a new password by the link of a mail; it signs nobody in (PEOPLE-04). */
export function ResetPage() {
  const [done, setDone] = useState(false);
  if (done) {
    return (
      <OutsidePage heading={resetTexts.done} lead={<span role="status">{resetTexts.doneText}</span>}>
        <ToSignIn />
      </OutsidePage>
    );
  }
  return (
    <LinkForm
      path={PATHS.resetPassword}
      texts={resetTexts}
      blank={{ password: '' }}
      check={({ password }) => ({ password: checkNewPassword(password) })}
      send={async ({ password }, token) => {
        await request('POST', '/api/auth/password/reset/', { body: { token, password }, ownSession: {} });
        setDone(true);
      }}
      whenEnded={
        <Link to={PATHS.forgotPassword} className={buttonClass('primary', 'lg')}>
          {resetTexts.again}
        </Link>
      }
    >
      {({ field, error }) => (
        <NewPasswordField error={error('password')} field={field('password')} autoFocus large />
      )}
    </LinkForm>
  );
}
