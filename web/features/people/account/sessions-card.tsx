import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenSession } from '../../../../contract/people/account.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { RecordState } from '../../../components/record/record-state.tsx';
import { RelativeTime } from '../../../components/record/relative-time.tsx';
import { deviceOf } from '../../../text/device.ts';
import { sessionTexts as texts } from '../../../text/es-account.ts';
import { formatDateTime } from '../../../text/format.ts';
import { relativeTime } from '../../../text/relative-time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { sessionsQuery, useEndSession } from './account.api.ts';

/** How many sessions are shown at first; some people have dozens. */
const AT_ONCE = 5;

/** The open sessions of the account, each with a button to end it (PEOPLE-06). */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Card title={texts.title} subtitle={texts.lead}>
      <RecordState query={sessions} texts={texts}>
        {({ results }) => <SessionList sessions={results} />}
      </RecordState>
    </Card>
  );
}

/** 'hace 2 días', for use within a sentence. */
const lowerCase = (instant: Date, now: Date) => relativeTime(instant, now).toLowerCase();

function SessionList({ sessions }: { sessions: readonly OpenSession[] }) {
  const end = useEndSession();
  const endOne = (id: number | null) =>
    end.mutate(id, {
      onSuccess: () => toasts.success(id === null ? texts.othersEnded : texts.ended),
      onError: (error) => toasts.error(texts.endFailed, errorMessage(error)),
    });
  const isEnding = (id: number | null) => end.isPending && end.variables === id;
  const [first] = sessions.filter(({ current }) => current);
  const others = sessions.filter((session) => session !== first);
  const ordered = [...(first ? [first] : []), ...others];
  const [shown, setShown] = useState(AT_ONCE);
  const left = ordered.length - shown;
  return (
    <div className="space-y-4">
      <ul className="divide-y divide-border">
        {ordered.slice(0, shown).map((session) => {
          const device = deviceOf(session.user_agent);
          return (
            <li
              key={session.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {device}
                  {session.current && <Badge tone="success">{texts.current}</Badge>}
                </p>
                <p className="text-xs text-muted">
                  {texts.lastUse} <RelativeTime value={session.last_used_at} words={lowerCase} />
                  {session.ip && ` · ${session.ip}`}
                  {` · ${texts.since(formatDateTime(session.created_at))}`}
                </p>
              </div>
              {!session.current && (
                <Button
                  size="sm"
                  aria-label={texts.endOf(device)}
                  busy={isEnding(session.id)}
                  onClick={() => endOne(session.id)}
                >
                  {texts.end}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap gap-2">
        {left > 0 && (
          <Button onClick={() => setShown(shown + AT_ONCE)}>
            {texts.more(Math.min(left, AT_ONCE), left)}
          </Button>
        )}
        {others.length > 0 && (
          <Button busy={isEnding(null)} onClick={() => endOne(null)}>
            {texts.endOthers}
          </Button>
        )}
      </div>
    </div>
  );
}
