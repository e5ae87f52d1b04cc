import { useState } from 'react';
import type { PasswordSet } from '../../../../contract/people/account.ts';
import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { request } from '../../../api/http.ts';
import { OutsidePage } from '../../../components/frame/outside-page.tsx';
import { checkNewPassword, NewPasswordField } from '../../../components/settings/new-password-field.tsx';
import { WorkingKeys } from '../../../components/settings/working-keys.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { resetTexts, workingKeysTexts } from '../../../text/es-account.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { LinkForm, ToSignIn } from './link-form.tsx';

/** /restablecer: sets a new password with the link of a mail, without signing in (PEOPLE-04). */
export function ResetPage() {
  const [keys, setKeys] = useState<readonly WorkingKey[] | null>(null);
  if (keys !== null) {
    return (
      <OutsidePage heading={resetTexts.done} lead={<span role="status">{resetTexts.doneText}</span>}>
        <WorkingKeys keys={keys}>
          <p>{workingKeysTexts.own}</p>
          <p className="mt-2">{workingKeysTexts.signIn}</p>
        </WorkingKeys>
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
        const { api_keys } = await request<PasswordSet>('POST', '/api/auth/password/reset/', {
          body: { token, password },
          ownSession: {},
        });
        setKeys(api_keys);
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
