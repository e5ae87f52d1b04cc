import type { ReactNode } from 'react';
import type { Event, NamedRecord } from '../../../contract/system/events.ts';
import { kindOf } from '../../record-kinds.ts';
import { Code } from '../../ui/code.tsx';
import { RecordLink } from '../record/record-links.tsx';

/** Identifies a record in the set of deleted records. */
export const recordKey = (kind: NamedRecord['kind'], id: number) => `${kind} ${id}`;

type Named = { kind: NamedRecord['kind']; id: number; name: string };

interface EventLinksProps {
  event: Event;
  /** The deleted records. Their names are plain text, without a link. */
  gone: ReadonlySet<string>;
  /** The kind of the record whose history this is. Its name is not repeated. */
  of: 'client' | 'license' | null;
}

/** The records of an event; those that still exist are links. */
export function EventLinks({ event, gone, of }: EventLinksProps) {
  return namedIn(event, of).map((named) => (
    <RecordName key={named.kind} {...named} exists={!gone.has(recordKey(named.kind, named.id))} />
  ));
}

function namedIn({ subject, client, license }: Event, of: EventLinksProps['of']): Named[] {
  const named: Named[] = [];
  if (license && of !== 'license') named.push({ kind: 'license', id: license.id, name: license.license_key });
  if (client && of === null) named.push({ kind: 'client', ...client });
  if ((subject.kind === 'software' || subject.kind === 'license_type') && subject.id !== null) {
    named.push({ kind: subject.kind, id: subject.id, name: subject.name });
  }
  return named;
}

const TARGET = 'inline-block py-1 wrap-anywhere';

function RecordName({ kind, id, name, exists }: Named & { exists: boolean }): ReactNode {
  const shown = kind === 'license' ? <Code>{name}</Code> : name;
  if (exists)
    return (
      <RecordLink kind={kindOf(kind)} id={id} className={TARGET}>
        {shown}
      </RecordLink>
    );
  return kind === 'license' ? shown : <bdi className="wrap-anywhere">{name}</bdi>;
}
