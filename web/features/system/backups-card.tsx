import type { SystemAnswer } from '../../../contract/system/system.ts';
import { DateTime } from '../../components/record/date-time.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { backupTexts as texts } from './backup-texts.ts';
import { bytesText } from './system-texts.ts';

type Backup = SystemAnswer['backups'][number];

/** True for a failed attempt; its row shows the reason. */
const wasNotMade = ({ size }: Backup) => size === 0;

/** The backups made and attempted by the server, and the state of the next one (OPS-03). */
export function BackupsCard({ backups, plan }: { backups: Backup[]; plan: SystemAnswer['backup_plan'] }) {
  return (
    <Card title={texts.title} subtitle={plan && <Plan plan={plan} />}>
      {plan === null && (
        <>
          <p>{texts.off}</p>
          <p className="mt-1 text-muted">{texts.offHint}</p>
        </>
      )}
      {plan !== null && plan.error !== null && !backups.some(wasNotMade) && (
        <Banner tone="warning" title={texts.failed} announce="note" className="mb-4">
          <p>{plan.error}</p>
        </Banner>
      )}
      {plan !== null && backups.length === 0 && <p className="text-muted">{texts.noneYet}</p>}
      {backups.length > 0 && (
        <ul
          aria-label={texts.title}
          className={cx('divide-y divide-border border-y border-border', plan === null && 'mt-4')}
        >
          {backups.map((backup) => (
            <BackupLine key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
      {plan !== null && <p className="mt-3 text-xs text-muted">{texts.elsewhere}</p>}
    </Card>
  );
}

function Plan({ plan: { last_tried_at, next_at } }: { plan: NonNullable<SystemAnswer['backup_plan']> }) {
  return (
    <>
      {texts.lastTried} {last_tried_at === null ? texts.never : <RelativeTime value={last_tried_at} />}
      {next_at !== null && (
        <>
          {' · '}
          {texts.next} <DateTime value={next_at} />
        </>
      )}
    </>
  );
}

function BackupLine({ backup: { name, at, size, tried_at, error } }: { backup: Backup }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          <DateTime value={at} />
        </p>
        {size > 0 && <p className="text-xs text-muted wrap-anywhere">{name}</p>}
        {error !== null && <p className="mt-1 wrap-anywhere">{error}</p>}
      </div>
      <div className="text-end">
        {error === null && tried_at !== null && <Badge tone="success">{texts.sound}</Badge>}
        {error === null && tried_at === null && <Badge tone="neutral">{texts.untried}</Badge>}
        {error !== null && <Badge tone="danger">{size === 0 ? texts.notMade : texts.bad}</Badge>}
        {size > 0 && <p className="mt-1 text-xs text-muted">{bytesText(size)}</p>}
        {tried_at !== null && (
          <p className="text-xs text-muted">
            {texts.triedAt} <DateTime value={tried_at} />
          </p>
        )}
      </div>
    </li>
  );
}
