import type { ReactNode } from 'react';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { ChecksList } from '../../components/checks/checks-list.tsx';
import { RecordTimeline } from '../../components/history/record-timeline.tsx';
import type { LicenseQuestion, LicenseTab } from '../../components/license/licenses-search.ts';
import { QUESTION_OF } from '../../components/license/next-action.ts';
import { LicenseStateBadge } from '../../components/record/badges.tsx';
import { checkTexts } from '../../text/es-checks.ts';
import { historyTexts } from '../../text/es-events.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { recordPageTexts } from '../../text/es-record.ts';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { DialogSubject } from '../../ui/dialog-props.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { LicenseActions } from './license-actions.tsx';
import { LicenseContact } from './license-contact.tsx';
import { LicenseFacts } from './license-facts.tsx';
import { LicenseStateNote } from './license-state-note.tsx';
import { WhyButton } from './why-button.tsx';
import type { Remedy } from './why-dialog.tsx';

export interface LicensePlaceProps {
  tab: LicenseTab;
  onTab: (tab: LicenseTab) => void;
  /** The dialog that the address opens, and the function called after it was closed. */
  question: LicenseQuestion | undefined;
  onAnswered: () => void;
  /** Writes a dialog to the address. */
  onAsk: (question: LicenseQuestion) => void;
  onEdit: () => void;
}

/**
 * What the dialog and the page of a licence share: its key, state, actions and contact, and its tabs: data, the checks
 * of its programs (SELL-07), history (EVENT-08).
 * @returns `subject` and `content` of a licence; `open` is a further action
 */
export function licensePlace({ tab, onTab, question, onAnswered, onAsk, onEdit }: LicensePlaceProps) {
  const mend = (remedy: Remedy) => (remedy === 'update' ? onEdit() : onAsk(QUESTION_OF[remedy]));
  const subject = (license: LicenseAnswer, open?: ReactNode): DialogSubject => ({
    name: <Code size="large">{license.license_key}</Code>,
    state: (
      <>
        <CopyButton iconOnly text={license.license_key} label={licenseTexts.copyKey} />
        <LicenseStateBadge license={license} />
        <WhyButton license={license} onMend={mend} />
      </>
    ),
    note: <LicenseStateNote license={license} />,
    actions: (
      <>
        {open}
        <LicenseActions {...{ license, question, onAnswered, onEdit }} />
      </>
    ),
    aside: (
      <section aria-label={recordPageTexts.onThePhone}>
        <LicenseContact license={license} columns={1} />
      </section>
    ),
  });
  const content = (license: LicenseAnswer) => (
    <Tabs<LicenseTab>
      label={licenseTexts.details}
      value={tab}
      onChange={onTab}
      tabs={[
        {
          key: 'resumen',
          label: licenseRecordTexts.tabs.summary,
          content: (
            <LicenseFacts
              license={license}
              onHistory={() => onTab('historial')}
              onAdjust={() => onAsk(QUESTION_OF.adjust)}
            />
          ),
        },
        {
          key: 'consultas',
          label: checkTexts.title,
          content: (
            <ChecksList
              of={{ license: license.id }}
              licenses={[license]}
              onMend={(_license, remedy) => mend(remedy)}
            />
          ),
        },
        {
          key: 'historial',
          label: historyTexts.title,
          content: <RecordTimeline of={{ license: license.id }} />,
        },
      ]}
    />
  );
  return { subject, content };
}
