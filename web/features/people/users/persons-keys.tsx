import type { WorkingKey } from '../../../../contract/people/api-keys.ts';
import { useOffers } from '../../../api/offers.ts';
import { WorkingKeys } from '../../../components/settings/working-keys.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { workingKeysTexts as texts } from '../../../text/es-account.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface PersonsKeysProps {
  /** The person's name. */
  name: string;
  keys: readonly WorkingKey[];
  onClose: () => void;
}

/**
 * Shown after an administrator created a link to set a password: the person's API keys, which may need to be revoked.
 */
export function PersonsKeys({ name, keys, onClose }: PersonsKeysProps) {
  const isOffered = useOffers();
  return (
    <Dialog
      open
      size="sm"
      title={texts.dialog(name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.close}</Button>
          {isOffered('keys.manage') && (
            <Link to={PATHS.apiKeys} className={buttonClass('primary')}>
              {texts.open}
            </Link>
          )}
        </>
      }
    >
      <WorkingKeys keys={keys}>
        <p>{texts.of(name)}</p>
      </WorkingKeys>
    </Dialog>
  );
}
