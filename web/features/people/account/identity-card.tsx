import { useEffect, useRef } from 'react';
import type { CurrentUser } from '../../../../contract/people/current-user.ts';
import { CalledOff, errorMessage } from '../../../api/api-error.ts';
import { useLinkToken } from '../../../api/link-token.ts';
import { endLinking, goToLink, isLinking, readArrival } from '../../../api/oidc-arrival.ts';
import { PATHS } from '../../../paths.ts';
import { identityTexts as texts } from '../../../text/es-oidc.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { useLinkIdentity, useUnlinkIdentity } from './account.api.ts';

/** The card of the identity at the OpenID Connect provider (SIGN-02). */
export function IdentityCard({ oidc }: { oidc: NonNullable<CurrentUser['oidc']> }) {
  const { name, linked, only, only_way } = oidc;
  useLinkOnArrival(name);
  const unlink = useUnlinkIdentity();
  const [remove, busy] = useOneAtATime(async () => {
    try {
      await unlink.mutateAsync(undefined);
      toasts.success(texts.unlinkedNow, texts.unlinkedText(name));
    } catch (error) {
      if (!(error instanceof CalledOff)) toasts.error(errorMessage(error));
    }
  });
  const isOnlyWay = linked && (only || only_way);
  return (
    <Card
      title={texts.title(name)}
      subtitle={isOnlyWay ? texts.onlyWay(name) : texts.lead(name)}
      action={<Badge tone={linked ? 'success' : 'neutral'}>{linked ? texts.linked : texts.notLinked}</Badge>}
    >
      {!linked && <Button onClick={goToLink}>{texts.link(name)}</Button>}
      {linked && !isOnlyWay && (
        <Button busy={busy} onClick={remove}>
          {texts.unlink}
        </Button>
      )}
    </Card>
  );
}

/** Links the identity with which the person has just come back from the provider, once. */
function useLinkOnArrival(name: string): void {
  const link = useLinkIdentity();
  const { mutateAsync } = link;
  const begun = useRef(false);
  useEffect(() => {
    const { path, token } = useLinkToken.getState();
    const arrival = path === PATHS.signIn ? readArrival(token) : undefined;
    if (begun.current || !isLinking()) return;
    begun.current = true;
    endLinking();
    useLinkToken.setState({ path: '', token: '' });
    if (arrival?.kind === 'token') {
      mutateAsync(arrival.token).then(
        () => toasts.success(texts.linkedNow, texts.linkedText(name)),
        (error: unknown) => {
          if (!(error instanceof CalledOff)) toasts.error(texts.failed, errorMessage(error));
        },
      );
    } else if (arrival?.kind === 'failed') toasts.error(texts.failed, texts.failedText(name));
  }, [mutateAsync, name]);
}
