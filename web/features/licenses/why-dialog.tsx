import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import type { Refusal } from '../../../contract/licenses/license-state.ts';
import type { LicenseVerdicts } from '../../../contract/licenses/license-verdict.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { useOffers } from '../../api/offers.ts';
import { KEYS } from '../../api/query-keys.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { apiOf } from '../../record-kinds.ts';
import { actions } from '../../text/es.ts';
import { releaseTexts } from '../../text/es-release.ts';
import { activatedText, otherText, refusedText } from '../../text/es-verdicts.ts';
import { whyTexts as texts } from '../../text/es-why.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { LicenseStateNote } from './license-state-note.tsx';

/** The actions that can make a refused licence valid again. */
export type Remedy = 'renew' | 'reinstate' | 'release' | 'update';

interface WhyDialogProps {
  license: LicenseRowAnswer;
  /** Called instead of `onClose`, with the action of the button. */
  onMend: (remedy: Remedy) => void;
  onClose: () => void;
  finalFocus: ComponentProps<typeof Dialog>['finalFocus'];
}

/** The answers that programs would get for a licence now. The query changes nothing (D144). */
const verdictsQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'verdicts', id],
    queryFn: ({ signal }) => request<LicenseVerdicts>('GET', `${apiOf('licenses', id)}verdicts/`, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** '¿Por qué?': whether the licence works on the client's machines, why not, and a button with the remedy. */
export function WhyDialog({ license, onMend, onClose, finalFocus }: WhyDialogProps) {
  const { data: verdicts, error } = useQuery(verdictsQuery(license.id));
  const mayIssue = useOffers()('licenses.create');
  const remedy = useRemedy(license, verdicts);
  const isOver = verdicts?.activated.reason === 'cancelled' && mayIssue;
  return (
    <Dialog
      open
      size="sm"
      title={texts.title}
      description={texts.lead}
      onClose={onClose}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant={remedy || isOver ? 'secondary' : 'primary'} onClick={onClose}>
            {actions.close}
          </Button>
          {remedy && (
            <Button variant="primary" onClick={() => onMend(remedy)}>
              {REMEDY_LABELS[remedy]}
            </Button>
          )}
          {isOver && (
            <Link
              to={PATHS.licenses}
              search={{ nuevo: '1', cliente: license.client.id }}
              className={buttonClass('primary')}
            >
              {texts.newLicense}
            </Link>
          )}
        </>
      }
    >
      <div role="status" className="min-h-24 space-y-3">
        {error !== null && (
          <Banner tone="critical" title={texts.failed}>
            {errorMessage(error)}
          </Banner>
        )}
        {error === null && verdicts === undefined && (
          <>
            <span className="sr-only">{texts.loading}</span>
            <Skeleton className="h-20 w-full" />
          </>
        )}
        {verdicts && <Verdicts verdicts={verdicts} license={license} />}
      </div>
    </Dialog>
  );
}

const REMEDY_LABELS: Record<Remedy, string> = {
  renew: VERB_WORDS.renew.label,
  reinstate: VERB_WORDS.reinstate.label,
  release: releaseTexts.one,
  update: actions.edit,
};

/** The remedy for each refusal; other refusals have none. */
const REMEDIES: Partial<Record<Refusal, Remedy>> = {
  suspended: 'reinstate',
  expired: 'renew',
  inactive: 'update',
  installation_limit: 'release',
};

/** The remedy that the person may use; null if there is none, or if nothing is wrong. */
function useRemedy({ can }: LicenseRowAnswer, verdicts: LicenseVerdicts | undefined): Remedy | null {
  const mayRelease = useOffers()('installations.release');
  if (verdicts === undefined) return null;
  const { activated, other } = verdicts;
  // A licence in its grace still works, but needs a renewal.
  const reason = activated.in_grace ? 'expired' : other.reason;
  const remedy = reason === null ? undefined : REMEDIES[reason];
  if (remedy === undefined) return null;
  const isPossible = remedy === 'release' ? mayRelease : can.includes(remedy);
  return isPossible ? remedy : null;
}

/** One answer if the licence itself is refused, else one for its machines and one for any other machine. */
function Verdicts({ verdicts, license }: { verdicts: LicenseVerdicts; license: LicenseRowAnswer }) {
  const { activated, other, current_installations: machines } = verdicts;
  if (!activated.valid) {
    const { title, text } = refusedText(activated);
    return (
      <Banner tone="critical" title={title}>
        <p>{text}</p>
        <div className="mt-1 text-xs text-muted empty:hidden">
          <LicenseStateNote license={license} />
        </div>
      </Banner>
    );
  }
  const seated = activatedText(verdicts, machines);
  const free = otherText(verdicts);
  return (
    <>
      {machines > 0 && (
        <Banner tone={activated.in_grace ? 'warning' : 'success'} title={seated.title}>
          {seated.text}
        </Banner>
      )}
      <Banner tone={other.valid ? 'success' : 'warning'} title={free.title}>
        {free.text}
      </Banner>
    </>
  );
}
