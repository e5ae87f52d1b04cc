import { ProgressBar } from '../../ui/progress-bar.tsx';
import { resultTexts as texts } from './imports-texts.ts';
import { percentOf, spokenPercent } from './progress.ts';

/** The progress of a check or a run: a bar, numbers, and an announcement for screen readers at each quarter. */
export function ImportProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  const spoken = spokenPercent(done, total);
  return (
    <div className="space-y-2">
      <ProgressBar label={label} value={done} max={total} />
      <p className="flex justify-between gap-4 text-muted tabular-nums">
        <span>{texts.rows(done, total)}</span>
        <span>{texts.percent(percentOf(done, total))}</span>
      </p>
      <p role="status" className="sr-only">
        {spoken === 0 ? '' : texts.spoken(spoken)}
      </p>
    </div>
  );
}
