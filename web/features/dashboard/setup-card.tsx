import { Check, ChevronRight } from 'lucide-react';
import type { Today } from '../../../contract/figures/today.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { Link } from '../../navigation/link.tsx';
import { RECORD_KINDS } from '../../record-kinds.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { setupTexts } from './dashboard-texts.ts';

type Setup = Today['setup'];

/**
 * The page with the API's documentation. It is not a screen of the console; it shows how to activate an installation.
 */
const API_PAGE = '/api/docs/';

const NEW = { nuevo: '1' } as const;

/** The kinds of records whose first record is a step, in order. */
const STEPS = [
  'software',
  'license_types',
  'clients',
  'licenses',
  'installations',
] as const satisfies readonly (keyof Setup)[];

/** True if a first step is not done yet. */
export const isSettingUp = (setup: Setup) => STEPS.some((kind) => setup[kind] === 0);

/** The first steps in an empty installation. A step is ticked automatically when its first record exists. */
export function SetupCard({ setup, wide = false }: { setup: Setup; wide?: boolean }) {
  const isOffered = useOffers();
  const isStored = useMailIsStored();
  const done = STEPS.filter((kind) => setup[kind] > 0).length;
  const next = STEPS.find((kind) => setup[kind] === 0);
  return (
    <Card
      title={setupTexts.title}
      padding="none"
      action={<p className="text-xs/6 text-muted">{setupTexts.progress(done, STEPS.length)}</p>}
    >
      <ol
        className={cx(
          'divide-y divide-border border-t border-border',
          wide && 'xl:grid xl:grid-cols-5 xl:divide-x xl:divide-y-0',
        )}
      >
        {STEPS.map((kind, position) => {
          const isDone = setup[kind] > 0;
          const className = cx(
            'group flex h-full items-center gap-3 px-5 py-2.5 -outline-offset-2 hover:bg-sunken',
            wide && 'xl:flex-col xl:items-start xl:gap-2 xl:py-3.5',
          );
          const content = (
            <>
              <Mark isDone={isDone} isNext={kind === next} number={position + 1} />
              <span className="min-w-0 flex-1">
                <span className={cx('block font-medium', isDone && 'text-muted')}>
                  {setupTexts[kind].title}
                </span>
                <span className="block text-xs text-muted">
                  {kind === 'licenses' && isStored ? setupTexts.licensesStored : setupTexts[kind].hint}
                </span>
              </span>
              <ChevronRight
                aria-hidden
                className={cx('size-4 shrink-0 text-muted group-hover:text-text', wide && 'xl:hidden')}
              />
            </>
          );
          return (
            <li key={kind} className="min-w-0">
              {kind === 'installations' ? (
                <a href={API_PAGE} className={className}>
                  {content}
                </a>
              ) : (
                <Link
                  to={RECORD_KINDS[kind].list}
                  search={isDone || !isOffered(`${kind}.create`) ? {} : NEW}
                  className={className}
                >
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** A tick, or the number of the step. The next step is highlighted. */
function Mark({ isDone, isNext, number }: { isDone: boolean; isNext: boolean; number: number }) {
  return (
    <span
      className={cx(
        'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold',
        isDone && 'border-success bg-success-tint text-success-text',
        isNext && 'border-brand bg-brand text-on-brand',
        !isDone && !isNext && 'border-border-strong text-muted',
      )}
    >
      {isDone ? <Check aria-hidden className="size-3.5" /> : <span aria-hidden>{number}</span>}
      <span className="sr-only">{isDone ? setupTexts.done : setupTexts.pending}</span>
    </span>
  );
}
