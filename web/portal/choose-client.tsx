import { ChevronRight } from 'lucide-react';
import type { PortalSignedIn } from '../../contract/portal/portal.ts';
import { portalChoiceTexts as texts } from '../text/es-portal.ts';
import { Failure } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { call } from './call.ts';
import { Page } from './page.tsx';
import { useWork } from './use-work.ts';

type Choices = NonNullable<PortalSignedIn['choices']>;

/** The clients to choose from after a code or link; null where the session is open already. */
export const choicesIn = ({ choices = [] }: PortalSignedIn): Choices | null =>
  choices.length > 0 ? choices : null;

interface ChooseClientProps {
  choices: Choices;
  onSignedIn: () => void;
  /** Starts the sign-in again: the choice is no longer possible. */
  onAgain: () => void;
}

/** The address is a contact of several clients: whose licences are to be shown (DESK-04). */
export function ChooseClient({ choices, onSignedIn, onAgain }: ChooseClientProps) {
  const { busy, error, run } = useWork();
  const enter = (choice: number) =>
    run(() => call('sign-in/verify/', { method: 'POST', body: { choice } }).then(onSignedIn));
  const isOver = error?.code === 'invalid_token';
  return (
    <Page title={texts.title} lead={texts.lead}>
      <ul className="space-y-2">
        {choices.map(({ id, name }) => (
          <li key={id}>
            <Button
              size="lg"
              aria-disabled={busy || undefined}
              onClick={() => busy || enter(id)}
              className="w-full whitespace-normal wrap-anywhere"
            >
              <bdi className="min-w-0 flex-1 text-left">{name}</bdi>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
            </Button>
          </li>
        ))}
      </ul>
      <Failure text={isOver ? texts.over : (error?.message ?? null)} />
      <TextButton onClick={onAgain}>{texts.again}</TextButton>
    </Page>
  );
}
