import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { LicenseSeats, SilentReleased } from '../../../contract/programs/floating-seats.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { ActionQuestion } from '../../components/record/action-question.tsx';
import { useRecordCall } from '../../components/record/record-calls.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { apiOf } from '../../record-kinds.ts';
import { floatingTexts as texts } from '../../text/es-floating-seats.ts';
import { formatDateTime } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';

const seatsQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'seats', id],
    queryFn: ({ signal }) => request<LicenseSeats>('GET', `${apiOf('licenses', id)}seats/`, { signal }),
    staleTime: 0,
  });

/** The seats of a licence as an activation counts them; undefined for fixed seats, and until they are loaded. */
function useSeats({ id, seat_mode }: License): LicenseSeats | undefined {
  return useQuery({ ...seatsQuery(id), enabled: seat_mode === 'floating' }).data;
}

/**
 * Beside the seats of a floating licence: its machines of the last 24 hours, also those that gave their seats back, and
 * when the next seat is free (CODE-02).
 */
export function RecentMachines({ license }: { license: License }) {
  const seats = useSeats(license);
  if (seats === undefined) return null;
  const { recent_machines, held_back, seat_free_at } = seats;
  return (
    <span className="block text-xs text-muted">
      <span className="block">{texts.recent(recent_machines)}</span>
      {held_back > 0 && <span className="block">{texts.blocked(held_back)}</span>}
      {seat_free_at !== null && <span className="block">{texts.freeAt(formatDateTime(seat_free_at))}</span>}
    </span>
  );
}

/** 'Liberar los que callan', above the machines of a floating licence. Renders nothing if none is silent (CODE-03). */
export function SilentMachines({ license }: { license: License }) {
  const seats = useSeats(license);
  /** How many machines the question is about; null: it is not asked. */
  const [asked, setAsked] = useState<number | null>(null);
  const placeRef = useRef<HTMLDivElement>(null);
  const release = useRecordCall('licenses', (silent_minutes: number) =>
    request<SilentReleased>('POST', `${apiOf('licenses', license.id)}release_silent/`, {
      body: { silent_minutes },
    }),
  );
  const minutes = seats?.silent_minutes ?? null;
  if (seats === undefined || minutes === null) return null;
  if (seats.silent === 0 && asked === null) return null;
  const run = async () => {
    const { message, works_until } = await release.mutateAsync(minutes);
    const until = works_until === undefined ? [] : [texts.worksUntil(formatDateTime(works_until))];
    toasts.success(texts.released, [message, ...until].join('. '));
    // The button disappears, so the focus goes to the tab that lists the machines.
    placeRef.current?.closest<HTMLElement>('[role=tabpanel]')?.focus();
  };
  return (
    <div ref={placeRef} className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="text-muted">{texts.silent(asked ?? seats.silent, minutes)}</p>
      <Offered what="installations.release">
        <Button size="sm" onClick={() => setAsked(seats.silent)}>
          {texts.releaseSilent}
        </Button>
      </Offered>
      {asked !== null && (
        <ActionQuestion
          title={texts.releaseSilent}
          text={texts.question(asked)}
          confirmLabel={texts.releaseSilent}
          busyLabel={texts.releasing}
          tone="danger"
          run={run}
          failed={texts.failed}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}
