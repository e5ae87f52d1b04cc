import { WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkConnection } from '../../api/connection-watch.ts';
import { connectionTexts } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useOneAtATime } from '../use-one-at-a-time.ts';

interface ConnectionBannerProps {
  /** `alert` in answer to what somebody did, `none` inside a region that announces it. */
  announce: 'alert' | 'none';
  /** What will happen when it is back. */
  children?: ReactNode;
  className?: string;
}

/** The server is out of reach; one press asks it once (SEED-2.4-07 to -10, D035). Whoever shows it takes it away. */
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
