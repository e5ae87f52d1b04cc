import { useEffect, useState } from 'react';
import { askWith } from '../../api/step-up.ts';
import { STEP_UP_TITLE } from '../../text/es.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { DialogCode } from '../screen/dialog-code.tsx';

const StepUpDialog = lazyComponent(
  codeOf(() => import('./step-up-dialog.tsx')),
  (module) => module.StepUpDialog,
);

/** Opens the password dialog, above any other dialog, when a call requires the password again (PEOPLE-05). */
export function StepUp() {
  const [answer, setAnswer] = useState<{ give: (confirmed: boolean) => void } | null>(null);
  useEffect(() => {
    askWith(() => new Promise((resolve) => setAnswer({ give: resolve })));
    return () => askWith(null);
  }, []);
  if (answer === null) return null;
  const end = (confirmed: boolean) => {
    setAnswer(null);
    answer.give(confirmed);
  };
  return (
    <DialogCode title={STEP_UP_TITLE} size="sm" onClose={() => end(false)}>
      <StepUpDialog onConfirmed={() => end(true)} onClose={() => end(false)} />
    </DialogCode>
  );
}
