import { useRef } from 'react';
import { releaseTexts as texts } from '../../text/es-release.ts';
import { Button } from '../../ui/button.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { nameOfMachine, type ReleasedMachine, useReleaseSeat } from './use-release-seat.ts';

/**
 * 'Liberar': releases a machine's seat at once, for example when a computer was replaced. It asks nothing, because the
 * toast has 'Deshacer' (decision 143).
 */
export function ReleaseButton({ machine }: { machine: ReleasedMachine }) {
  const release = useReleaseSeat();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [run, releasing] = useOneAtATime(async () => {
    // The row of the released machine disappears, so the focus goes to the tab that lists them.
    const list = buttonRef.current?.closest<HTMLElement>('[role=tabpanel]');
    if (await release(machine)) list?.focus();
  });
  return (
    <Button
      ref={buttonRef}
      size="sm"
      busy={releasing}
      aria-label={texts.of(nameOfMachine(machine))}
      onClick={() => void run()}
    >
      {texts.release}
    </Button>
  );
}
