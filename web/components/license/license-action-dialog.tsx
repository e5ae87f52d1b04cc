import { type ComponentProps, useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { commonFields, type LicenseAction, verbOf } from '../../../contract/licenses/verbs/index.ts';
import { mailIsStored, useMailIsStored } from '../../api/email-transport.ts';
import { actions } from '../../text/es.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { VERB_WORDS } from '../../verbs/index.ts';
import { CancelsRequest } from '../payment/standing-requests.tsx';
import { ActionDialog } from '../record/action-dialog.tsx';
import type { FormDialog } from '../record/form-dialog.tsx';
import { type ActionValues, actionBody, actionErrors, blankAction, ReasonField } from './action-form.tsx';
import type { OffersAfter } from './actions/action-definition.ts';
import { ownFields } from './actions/index.ts';
import { useLicenseAction } from './lifecycle.api.ts';

interface LicenseActionDialogProps {
  license: LicenseRow;
  action: LicenseAction;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const offersNothing = (): OffersAfter => ({ of: () => undefined });

/** The dialog of a verb on a licence: explanation, fields, and the licence's state after it (LIFE-05). */
export function LicenseActionDialog({ license, action, ...frame }: LicenseActionDialogProps) {
  const { Fields, Summary, recipient, useOffersAfter = offersNothing } = ownFields(action);
  const words = VERB_WORDS[action];
  const { whom } = words;
  const [blank] = useState(() => blankAction(action, license));
  const act = useLicenseAction(license);
  const offersAfter = useOffersAfter();
  const isStored = useMailIsStored();

  const send = async (values: ActionValues) => {
    const changed = await act.mutateAsync({ action, body: actionBody(action, values) });
    frame.onClose();
    const isKept = values.notify && mailIsStored();
    const offers = offersAfter.of(changed, values);
    const said = [changed.license_key, offers?.note, isKept && outboxTexts.stored];
    const text = said.filter(Boolean).join('. ');
    toasts[isKept ? 'warning' : 'success'](words.done, text, offers?.action, offers?.link);
  };

  const notifyHelp = (values: ActionValues) => {
    const address = recipient ? recipient(values) : (license.client_email_shown ?? license.client_email);
    const to = address === null ? texts.chooseClient : texts.notifyTo(address);
    return isStored ? (
      <>
        {`${to}. `}
        <span className="text-warning-text">{outboxTexts.willStore}</span>
      </>
    ) : (
      to
    );
  };
  return (
    <ActionDialog
      {...frame}
      size="md"
      words={words}
      submitVariant={whom?.tone === 'critical' ? 'danger' : 'primary'}
      closeLabel={whom ? actions.back : actions.cancel}
      blank={blank}
      check={(values) => actionErrors(action, actionBody(action, values))}
      send={send}
      preview={(values) => Summary && <Summary license={license} values={values} />}
    >
      {({ values, errors, change }) => (
        <>
          {whom && (
            <Banner tone={whom.tone} title={whom.title} announce="note">
              {whom.text(license)}
            </Banner>
          )}
          {verbOf(action).endsRequest && (
            <CancelsRequest license={license.id} takesBack={action === 'cancel'} />
          )}
          <p className="text-muted">{words.effect}</p>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {Fields && <Fields license={license} values={values} errors={errors} change={change} />}
            <ReasonField
              action={action}
              help={texts.reasonHelp}
              error={errors.reason}
              value={values.reason}
              onChange={(reason) => change({ reason })}
            />
            {commonFields(action).notify !== null && (
              <Checkbox
                className="sm:col-span-2"
                label={texts.notify}
                help={notifyHelp(values)}
                checked={values.notify}
                onChange={({ target }) => change({ notify: target.checked })}
              />
            )}
          </div>
        </>
      )}
    </ActionDialog>
  );
}
