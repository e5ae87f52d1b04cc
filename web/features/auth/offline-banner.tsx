import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useState } from 'react';
import { fetchHealth, HEALTH_PATHS, healthQuery } from '../../api/health-api.ts';
import { authTexts } from '../../text/es-auth.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

interface OfflineBannerProps {
  /** The server answered well: the banner may go (SEED-2.4-10, D035). */
  onReached: () => void;
}

/** The server could not be reached; one press asks it once (SEED-2.4-07 to -10). */
export function OfflineBanner({ onReached }: OfflineBannerProps) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const retry = async () => {
    setAsking(true);
    try {
      queryClient.setQueryData(healthQuery.queryKey, await fetchHealth(HEALTH_PATHS.auth));
      onReached();
    } catch {
      // Any other answer and no answer mean the same here: still out of reach, the banner stays.
    } finally {
      setAsking(false);
    }
  };
  return (
    <Banner
      tone="warning"
      icon={WifiOff}
      announce="alert"
      action={
        <Button size="sm" busy={asking} onClick={retry}>
          {authTexts.retryConnection}
        </Button>
      }
    >
      {authTexts.offline}
    </Banner>
  );
}
