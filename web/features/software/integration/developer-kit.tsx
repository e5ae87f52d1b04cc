import { Download } from 'lucide-react';
import { useState } from 'react';
import { TRIAL_DAYS, TRIAL_SEATS } from '../../../../contract/base/limits.ts';
import type { LanguageName } from '../../../../contract/programs/sdk-languages.ts';
import { download } from '../../../api/http.ts';
import { useOffers } from '../../../api/offers.ts';
import { useMay } from '../../../api/permissions.ts';
import { useAction } from '../../../components/record/use-action.ts';
import { apiOf } from '../../../record-kinds.ts';
import { kitTexts as texts } from '../../../text/es-integration.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { DialogSection } from '../../../ui/dialog.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useIssueTrial } from './integration.api.ts';

interface DeveloperKitProps {
  softwareId: number;
  language: LanguageName;
}

/** 'Para tu programador': one file with SDK, example, keys, instructions and a trial key. */
export function DeveloperKit({ softwareId, language }: DeveloperKitProps) {
  const isOffered = useOffers();
  // A trial key is included only for people who may issue one and read licences.
  const mayTrial = useMay()('licenses:read') && isOffered('software.trial');
  const [withAll, setWithAll] = useState(false);
  const [withTrial, setWithTrial] = useState(true);
  const issue = useIssueTrial(softwareId);
  const [run, busy] = useAction(texts.failed, async () => {
    const trial = mayTrial && withTrial ? await issue.mutateAsync() : null;
    await download(`${apiOf('software', softwareId)}developer_kit/`, {
      query: { languages: withAll ? undefined : language, license: trial?.id },
      failure: texts.failed,
      fileName: 'programador.zip',
    });
    toasts.success(texts.done, trial ? texts.withKey(trial.license_key) : undefined);
  });
  return (
    <section
      aria-label={texts.title}
      className="space-y-4 rounded-xl border border-border bg-sunken/60 p-4 sm:p-5"
    >
      <DialogSection title={texts.title} description={texts.lead} columns={1}>
        <div className="space-y-1">
          {mayTrial && (
            <Checkbox
              label={texts.trial}
              help={texts.trialHelp(TRIAL_DAYS, TRIAL_SEATS)}
              checked={withTrial}
              onChange={({ target }) => setWithTrial(target.checked)}
            />
          )}
          <Checkbox
            label={texts.all}
            checked={withAll}
            onChange={({ target }) => setWithAll(target.checked)}
          />
        </div>
        <div>
          <Button variant="primary" icon={Download} busy={busy} busyLabel={texts.downloading} onClick={run}>
            {texts.download}
          </Button>
        </div>
      </DialogSection>
    </section>
  );
}
