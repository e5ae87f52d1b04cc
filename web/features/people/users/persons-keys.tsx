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

/** After a link that sets a password: the person's API keys, which an administrator may want to revoke. */
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
