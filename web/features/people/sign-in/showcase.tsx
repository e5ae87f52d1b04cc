import { Check } from 'lucide-react';
import { LicenseStateBadge } from '../../../components/record/badges.tsx';
import { authTexts, showcaseTexts } from '../../../text/es-auth.ts';

const SEATS = 5;
const SEATS_TAKEN = 3;

/**
 * Beside the form on wide screens: what the product is for, and a picture of a licence. Hidden from screen readers.
 */
export function Showcase() {
  return (
    <div className="relative hidden flex-1 overflow-hidden bg-brand lg:flex">
      <div className="absolute inset-0 bg-linear-to-br from-transparent via-transparent to-scrim" />
      <div className="absolute -top-40 -right-40 size-[36rem] rounded-full border border-on-brand/15" />
      <div className="absolute -top-16 -right-64 size-[36rem] rounded-full border border-on-brand/15" />
      <div className="relative m-auto flex w-full max-w-lg flex-col gap-10 p-12 text-on-brand">
        <div>
          <p className="text-[2rem] leading-10 font-semibold tracking-tight text-balance">
            {authTexts.pitchTitle}
          </p>
          <p className="mt-3 text-base leading-6 text-balance">{authTexts.pitchText}</p>
        </div>
        <SampleLicense />
        <ul className="space-y-3">
          {authTexts.pitchPoints.map((point) => (
            <li key={point} className="flex items-start gap-3">
              <span className="mt-px flex size-5 shrink-0 items-center justify-center rounded-full bg-on-brand/20">
                <Check aria-hidden className="size-3.5" />
              </span>
              {point}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function SampleLicense() {
  return (
    <div aria-hidden className="rounded-xl bg-raised p-5 text-text shadow-over">
      <div className="flex items-start justify-between gap-4">
        <div>
          <p className="text-base font-semibold">{showcaseTexts.client}</p>
          <p className="text-muted">{showcaseTexts.software}</p>
        </div>
        <LicenseStateBadge license={{ status: 'active' }} />
      </div>
      <p className="mt-4 rounded-lg border border-border bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
        {showcaseTexts.key}
      </p>
      <div className="mt-4 flex items-end justify-between gap-4 text-xs text-muted">
        <div>
          <p>{showcaseTexts.seats(SEATS_TAKEN, SEATS)}</p>
          <div className="mt-1.5 flex gap-1">
            {Array.from({ length: SEATS }, (_, seat) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: five equal elements that are never reordered
                key={seat}
                className={`h-1.5 w-8 rounded-full ${seat < SEATS_TAKEN ? 'bg-brand' : 'bg-skeleton'}`}
              />
            ))}
          </div>
        </div>
        <p>{showcaseTexts.expiry}</p>
      </div>
    </div>
  );
}
