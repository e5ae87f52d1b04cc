import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import {
  CHECK_LABELS,
  type CheckId,
  type CheckState,
  type SystemAnswer,
  type SystemCheck,
} from '../../../contract/system/system.ts';
import { DateTime } from '../../components/record/date-time.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { toasts } from '../../ui/toasts.ts';
import { BackupsCard } from './backups-card.tsx';
import { JobsCard } from './jobs-card.tsx';
import { systemQuery, useCheckSystem } from './system.api.ts';
import {
  bytesText,
  CHECK_STATE_LABELS,
  CHECK_TONES,
  ENGINE_LABELS,
  systemTexts as texts,
} from './system-texts.ts';

/** /settings/sistema: the server's checks, sizes, jobs and backups (OPS-02). */
export function SystemSection() {
  const system = useQuery(systemQuery);
  return (
    <RecordState query={system} texts={texts}>
      {(found) => (
        <div className="space-y-5">
          {!found.outbound && (
            <Banner tone="warning" title={texts.drill} announce="note">
              <p>{texts.drillHint}</p>
            </Banner>
          )}
          <ChecksCard system={found} />
          <ServerCard system={found} />
          <JobsCard counts={found.jobs} />
          <BackupsCard backups={found.backups} plan={found.backup_plan} />
        </div>
      )}
    </RecordState>
  );
}

function ChecksCard({ system }: { system: SystemAnswer }) {
  const check = useCheckSystem();
  const [run, running] = useAction(texts.checkFailed, async () => {
    if (!(await check.mutateAsync(system))) toasts.info(texts.slow, texts.slowHint);
  });
  const [first] = system.checks;
  return (
    <Card
      title={texts.checks}
      subtitle={
        first === undefined ? (
          texts.never
        ) : (
          <>
            {texts.checkedAt} <RelativeTime value={first.checked_at} />
          </>
        )
      }
      action={
        <Offered what="system.manage">
          <Button
            size="sm"
            icon={RefreshCw}
            busy={running}
            busyLabel={texts.checking}
            onClick={() => void run()}
          >
            {texts.check}
          </Button>
        </Offered>
      }
    >
      <ul aria-label={texts.checks} className="divide-y divide-border border-y border-border">
        {urgentFirst(system.checks).map((found) => (
          <CheckLine key={found.id} check={found} />
        ))}
      </ul>
      <p className="mt-3 text-xs text-muted">{texts.doctor}</p>
    </Card>
  );
}

const URGENCY: readonly CheckState[] = ['failure', 'warning', 'ok'];

/** Checks with problems first; otherwise the order of the answer. */
const urgentFirst = (checks: readonly SystemCheck[]) =>
  URGENCY.flatMap((state) => checks.filter((check) => check.state === state));

function CheckLine({ check: { id, state, message, remedy } }: { check: SystemCheck }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-3 sm:grid-cols-[13rem_minmax(0,1fr)_auto]">
      <p className="font-medium">{CHECK_LABELS[id as CheckId] ?? id}</p>
      <div className="min-w-0 wrap-anywhere max-sm:col-span-full max-sm:row-start-2">
        <p>{message}</p>
        {remedy !== null && (
          <p className="mt-1 text-muted">
            <span className="font-medium text-text">{texts.remedy}</span> {remedy}
          </p>
        )}
      </div>
      <div>
        <Badge tone={CHECK_TONES[state]}>{CHECK_STATE_LABELS[state]}</Badge>
      </div>
    </li>
  );
}

function ServerCard({ system }: { system: SystemAnswer }) {
  const { sizes } = system;
  return (
    <Card title={texts.server}>
      <Facts columns={3}>
        <Fact label={texts.version}>{system.version}</Fact>
        <Fact label={texts.database}>
          {ENGINE_LABELS[system.engine]} {system.database_version}
        </Fact>
        <Fact label={texts.startedAt}>
          <DateTime value={system.started_at} />
        </Fact>
        <Fact label={texts.sizes.database}>{bytesText(sizes.database)}</Fact>
        {sizes.write_ahead_log !== null && (
          <Fact label={texts.sizes.log}>{bytesText(sizes.write_ahead_log)}</Fact>
        )}
        {sizes.free_disk !== null && <Fact label={texts.sizes.disk}>{bytesText(sizes.free_disk)}</Fact>}
      </Facts>
    </Card>
  );
}
