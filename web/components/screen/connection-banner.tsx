import { WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkConnection } from '../../api/connection-watch.ts';
import { connectionTexts } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';

interface ConnectionBannerProps {
  /** `alert` after an action of the user, `none` inside a live region. */
  announce: 'alert' | 'none';
  /** A text about what will happen when the connection is restored. */
  children?: ReactNode;
  className?: string;
}

/**
 * The banner about an unreachable server. Its button checks the connection once (SEED-2.4-07 to -10, D035). The caller
 * removes the banner.
 */
export function ConnectionBanner({ announce, children, className }: ConnectionBannerProps) {
  const [retry, asking] = useOneAtATime(async () => {
    await checkConnection();
  });
  return (
    <Banner
      tone="warning"
      icon={WifiOff}
      announce={announce}
      className={className}
      action={
        <Button size="sm" busy={asking} onClick={retry}>
          {connectionTexts.retry}
        </Button>
      }
    >
      <p>{connectionTexts.offline}</p>
      {children && <p>{children}</p>}
    </Banner>
  );
}
