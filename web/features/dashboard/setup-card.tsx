import { useQuery } from '@tanstack/react-query';
import { Check, ChevronRight, FileKey2, Minus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { SETUP_STEP_LABELS, SETUP_STEPS, type SetupStep } from '../../../contract/settings/setup-steps.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { useAction } from '../../components/record/use-action.ts';
import { Link, type LinkTarget } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { nextStep, type Setup, type StepState, stateOfStep, useSkipSteps } from './setup.api.ts';
import { SetupPreview } from './setup-preview.tsx';
import { SETUP_STEP_HINTS, setupTexts as texts } from './setup-texts.ts';

const NEW = { nuevo: '1' } as const;

/** Where a step is taken. Null for people who may not. */
function useStepTarget(setup: Setup): (step: SetupStep, state: StepState) => LinkTarget | null {
  const may = useMay();
  const isOffered = useOffers();
  const { data: software } = useQuery({ ...softwareOptionsQuery, enabled: setup.software === 1 });
  return (step, state) => {
    const search = (isCreated: boolean) => (isCreated && state !== 'done' ? { search: NEW } : {});
    switch (step) {
      case 'company':
        return may('settings:read') ? { to: '/settings/empresa' } : null;
      case 'mail':
        return may('mails:read') ? { to: PATHS.mails } : null;
      case 'payments':
        return may('settings:manage') ? { to: PATHS.paymentSettings } : null;
      case 'software':
        return { to: PATHS.software, ...search(isOffered('software.create')) };
      case 'license_types':
        return { to: PATHS.licenseTypes, ...search(isOffered('license_types.create')) };
      case 'clients':
        return { to: PATHS.clients, ...search(isOffered('clients.create')) };
      case 'integration':
        // Each software has 'Para tu programador'; of the only one, its page opens at once.
        return software?.length === 1
          ? { to: PATHS.integration, params: { id: String(software[0]!.id) } }
          : { to: PATHS.software };
      case 'team':
        return may('users:manage') ? { to: PATHS.users, ...search(true) } : null;
    }
  };
}

/**
 * The first steps of an installation (DESK-06): each ticks itself, can be skipped for everybody, and shows what the
 * client will see of it. The first licence is what they lead to.
 */
export function SetupCard({ setup }: { setup: Setup }) {
  const next = nextStep(setup);
  const [chosen, setChosen] = useState<SetupStep | null>(null);
  const shown = chosen ?? next ?? 'company';
  const done = SETUP_STEPS.filter((step) => stateOfStep(setup, step) === 'done').length;
  return (
    <Card
      title={texts.title}
      padding="none"
      action={<p className="text-xs/6 text-muted">{texts.progress(done, SETUP_STEPS.length)}</p>}
    >
      <div className="border-t border-border xl:grid xl:grid-cols-[minmax(0,1fr)_20rem]">
        <ol className="grid gap-px bg-border sm:grid-cols-2 xl:border-r xl:border-border">
          {SETUP_STEPS.map((step, position) => (
            <Step
              key={step}
              {...{ setup, step }}
              number={position + 1}
              isNext={step === next}
              isShown={step === shown}
              onShow={() => setChosen(step)}
            />
          ))}
        </ol>
        <div className="border-t border-border p-5 max-sm:p-4 xl:border-t-0">
          <SetupPreview step={shown} />
        </div>
      </div>
      {setup.licenses === 0 && <LastStep />}
    </Card>
  );
}

interface StepProps {
  setup: Setup;
  step: SetupStep;
  number: number;
  isNext: boolean;
  isShown: boolean;
  onShow: () => void;
}

function Step({ setup, step, number, isNext, isShown, onShow }: StepProps) {
  const state = stateOfStep(setup, step);
  const target = useStepTarget(setup)(step, state);
  const maySkip = useOffers()('settings.save');
  const isImportOffered = useOffers()('clients.import');
  const { mutateAsync } = useSkipSteps();
  const [skip, isSkipping] = useAction(texts.skipFailed, () =>
    mutateAsync(state === 'skipped' ? setup.skipped.filter((one) => one !== step) : [...setup.skipped, step]),
  );
  const title = SETUP_STEP_LABELS[step];
  const verb = state === 'skipped' ? texts.resume : texts.skip;
  return (
    <li
      onPointerEnter={onShow}
      onFocus={onShow}
      className={cx(
        'relative flex min-w-0 items-center gap-3 bg-surface px-5 py-2.5 max-sm:px-4',
        isShown && 'xl:bg-sunken',
      )}
    >
      <Mark state={state} isNext={isNext} number={number} />
      <span className="min-w-0 flex-1">
        <Opener target={target}>
          <span className={cx('block font-medium', state !== 'pending' && 'text-muted')}>{title}</span>
        </Opener>
        <span className="block text-xs text-muted">{SETUP_STEP_HINTS[step]}</span>
        {step === 'clients' && state === 'pending' && isImportOffered && (
          <Link
            to={PATHS.imports}
            search={{ kind: 'clients' }}
            className="relative mt-0.5 inline-block text-xs text-brand-text underline-offset-2 hover:underline"
          >
            {texts.import}
          </Link>
        )}
      </span>
      {state !== 'done' && maySkip && (
        <TextButton
          aria-label={texts.of(verb, title)}
          aria-busy={isSkipping || undefined}
          className="relative shrink-0 text-xs aria-busy:opacity-60"
          onClick={() => void skip()}
        >
          {verb}
        </TextButton>
      )}
      {target !== null && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
    </li>
  );
}

const Opener = ({ target, children }: { target: LinkTarget | null; children: ReactNode }) =>
  target === null ? (
    children
  ) : (
    // The whole row can be pressed.
    <Link {...target} className="block after:absolute after:inset-0 hover:text-brand-text hover:underline">
      {children}
    </Link>
  );

/** A tick, a dash, or the number of the step. The next step is highlighted. */
function Mark({ state, isNext, number }: { state: StepState; isNext: boolean; number: number }) {
  return (
    <span
      className={cx(
        'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold',
        state === 'done' && 'border-success bg-success-tint text-success-text',
        state === 'skipped' && 'border-border text-muted',
        isNext && 'border-brand bg-brand text-on-brand',
        state === 'pending' && !isNext && 'border-border-strong text-muted',
      )}
    >
      {state === 'done' && <Check aria-hidden className="size-3.5" />}
      {state === 'skipped' && <Minus aria-hidden className="size-3.5" />}
      {state === 'pending' && <span aria-hidden>{number}</span>}
      <span className="sr-only">{texts[state]}</span>
    </span>
  );
}

/** What the steps lead to. The form makes what is missing, so it is never closed. */
function LastStep() {
  const isStored = useMailIsStored();
  if (!useOffers()('licenses.create')) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-border px-5 py-3.5 max-sm:px-4">
      <p className="min-w-0">
        <span className="block font-medium">{texts.last}</span>
        <span className="block text-xs text-muted">{isStored ? texts.lastStored : texts.lastHint}</span>
      </p>
      <Link to={PATHS.licenses} search={NEW} className={buttonClass('secondary')}>
        <FileKey2 aria-hidden className="size-4" />
        {texts.issue}
      </Link>
    </div>
  );
}
