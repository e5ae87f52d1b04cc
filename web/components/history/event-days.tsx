import { Building2, Cog, KeyRound, type LucideIcon, MonitorSmartphone, UserRound } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { ActorKind, Event } from '../../../contract/system/events.ts';
import { fieldChanges } from '../../text/es-event-fields.ts';
import { ACTOR_KIND_LABELS, eventSentence, historyTexts } from '../../text/es-events.ts';
import { byDay, timeOfDay } from '../../text/event-days.ts';
import { formatDateTime } from '../../text/format.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { ownTimeTitle } from '../record/date-time.tsx';
import { EventLinks } from './event-links.tsx';
import { foldEvents, type Line } from './fold-events.ts';

const ICONS: Record<ActorKind, LucideIcon> = {
  user: UserRound,
  api_key: KeyRound,
  machine: MonitorSmartphone,
  client: Building2,
  system: Cog,
};

interface EventDaysProps {
  events: readonly Event[];
  /** The deleted records, each as the result of `recordKey`. */
  gone: ReadonlySet<string>;
  of: 'client' | 'license' | null;
}

/** Events grouped by the day on which they happened. */
export function EventDays({ events, gone, of }: EventDaysProps) {
  return byDay(events, new Date()).map(({ day, events: ofDay }) => (
    <Day key={ofDay[0]?.id} day={day}>
      <EventLines events={ofDay} gone={gone} of={of} />
    </Day>
  ));
}

/** Consecutive events as lines of a list; equal ones are folded. */
export const EventLines = ({ events, gone, of }: EventDaysProps) =>
  foldEvents(events, eventSentence).map((line) =>
    line.length === 1 ? (
      <Happened key={line[0].id} event={line[0]} gone={gone} of={of} />
    ) : (
      // The oldest event stays the same when newer ones arrive. As the key it keeps an opened line open.
      <Folded key={line.at(-1)!.id} line={line} gone={gone} of={of} />
    ),
  );

/** Several equal events as one line with their number; a button shows each of them. */
function Folded({ line, ...given }: { line: Line } & Pick<EventDaysProps, 'gone' | 'of'>) {
  const [open, setOpen] = useState(false);
  const [newest] = line;
  const times = historyTexts.times(line.length, timeOfDay(new Date(line.at(-1)!.at)));
  const toggle = (
    <TextButton
      aria-expanded={open}
      aria-label={`${open ? historyTexts.fold : times}: ${eventSentence(newest)}`}
      className="text-xs"
      onClick={() => setOpen(!open)}
    >
      {open ? historyTexts.fold : times}
    </TextButton>
  );
  return (
    <>
      <Happened event={newest} more={toggle} {...given} />
      {open && line.slice(1).map((event) => <Happened key={event.id} event={event} {...given} />)}
    </>
  );
}

/** A day with what happened on it. */
export function Day({ day, children }: { day: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-xs font-semibold text-muted">
        {day}
      </h3>
      <ol className="mt-1 divide-y divide-border">{children}</ol>
    </section>
  );
}

/** One event: actor, action, record, time, reason, and the changed fields. */
function Happened({
  event,
  more,
  gone,
  of,
}: { event: Event; more?: ReactNode } & Pick<EventDaysProps, 'gone' | 'of'>) {
  const Icon = ICONS[event.actor.kind];
  return (
    <li className="flex gap-3 py-3">
      <span className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <p className="min-w-0 wrap-anywhere">{eventSentence(event)}</p>
          <time
            dateTime={event.at}
            title={[formatDateTime(event.at), ownTimeTitle(event.at)].filter(Boolean).join('\n')}
            className="shrink-0 text-xs text-muted tabular-nums"
          >
            {timeOfDay(new Date(event.at))}
          </time>
        </div>
        <p className="flex flex-wrap items-baseline gap-x-3 text-xs text-muted">
          <span className="py-1">{ACTOR_KIND_LABELS[event.actor.kind]}</span>
          <EventLinks event={event} gone={gone} of={of} />
          {more}
        </p>
        {event.reason && (
          <p className="mt-1 border-l-2 border-border pl-2.5 text-muted wrap-anywhere">
            <span className="sr-only">{`${historyTexts.reason}: `}</span>
            {`«${event.reason}»`}
          </p>
        )}
        <Changes event={event} />
      </div>
    </li>
  );
}

/** The changed fields with the values before and after, shown on demand. */
function Changes({ event }: { event: Event }) {
  const changes = fieldChanges(event);
  if (changes.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center rounded-sm text-xs font-medium text-brand-text underline underline-offset-2 pointer-coarse:min-h-11">
        {historyTexts.changes(changes.length)}
      </summary>
      <dl className="mt-1.5 space-y-2 rounded-lg bg-sunken px-3 py-2.5 text-xs">
        {changes.map(({ field, label, before, after }) => (
          <div key={field} className="sm:flex sm:gap-3">
            <dt className="text-muted sm:w-44 sm:shrink-0">{label}</dt>
            <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
              <span className="sr-only">{`${historyTexts.before}: `}</span>
              <span className="text-muted">{before}</span>
              <span aria-hidden className="px-1.5 text-muted">
                →
              </span>
              <span className="sr-only">{`. ${historyTexts.after}: `}</span>
              <span className="font-medium">{after}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
