import { useQuery } from '@tanstack/react-query';
import { Ellipsis, HandCoins, type LucideIcon, Pencil } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { ContactLinks } from '../../components/client/contact-links.tsx';
import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { type NextAction, nextAction, QUESTION_OF } from '../../components/license/next-action.ts';
import { ReleaseMachineDialog } from '../../components/license/release-machine-dialog.tsx';
import { ResendMail } from '../../components/license/resend-mail.tsx';
import { standingRequestsQuery } from '../../components/payment/payment.api.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { actions as words } from '../../text/es.ts';
import { chargeTexts } from '../../text/es-payments.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { AdjustUsageDialog } from './adjust-usage-dialog.tsx';
import { actionItems } from './license-action-items.ts';
import { canBeCharged, type MenuVerb } from './license-menu-verbs.ts';
import { LicenseVerbDialog } from './license-verb-dialog.tsx';
import { WhatsAppMenu } from './whatsapp-menu.tsx';

interface LicenseActionsProps {
  license: LicenseAnswer;
  /** The dialog that the address opens. If the server does not allow its action, nothing opens. */
  question: LicenseQuestion | undefined;
  /** Called after the dialog of the address was closed. */
  onAnswered: () => void;
  onEdit: () => void;
}

/** The open dialog: an action of the menu, releasing a machine, or correcting a meter. */
type Asked = MenuVerb | 'release' | 'adjust';

/** Actions that have a button only while they are the next action. */
const OWN_BUTTONS: Record<'renew' | 'reinstate', { label: string; icon: LucideIcon }> = {
  renew: VERB_WORDS.renew,
  reinstate: VERB_WORDS.reinstate,
};
const QUESTIONS = choicesOf(QUESTION_OF);

/**
 * The buttons in the details of a licence: the next action as the only filled button, then how to reach the client,
 * mail, form and 'Más acciones'.
 */
export function LicenseActions({ license, question, onAnswered, onEdit }: LicenseActionsProps) {
  const offers = useOffers();
  const mayRelease = offers('installations.release');
  const mayCharge = offers('payment_requests.create');
  // A licence with an open request says so first, with what can be done with that (MONEY-13).
  const mayRead = useMay()('payments:read');
  const { data: standing } = useQuery({
    ...standingRequestsQuery({ license: license.id }),
    enabled: mayRead && mayCharge,
  });
  const isFree = !mayRead || standing?.length === 0;
  const [chosen, setChosen] = useState<Asked | null>(null);
  const moreRef = useRef<HTMLButtonElement>(null);
  const openerRef = useRef<HTMLButtonElement>(null);
  const next = nextAction(license, new Date());
  const look = (action: NextAction) => (action === next ? 'primary' : 'secondary');
  const own = next === 'resend_email' ? null : next;
  const isPossible = (asked: Asked) => {
    if (asked === 'release') return mayRelease && license.current_installations > 0;
    if (asked === 'charge') return canBeCharged(license, mayCharge);
    if (asked !== 'adjust') return license.can.includes(asked);
    return offers('licenses.usage.adjust') && Object.keys(license.meters).length > 0;
  };
  const given = QUESTIONS.find((action) => QUESTION_OF[action] === question);
  const requested = given !== undefined && isPossible(given) ? given : null;
  const asked = chosen ?? requested;
  const choose = (verb: Asked, opener: HTMLButtonElement | null) => {
    openerRef.current = opener;
    setChosen(verb);
  };
  const dialog = {
    license,
    onClose: () => {
      setChosen(null);
      if (requested !== null) onAnswered();
    },
    // After the action its button may have disappeared; then the focus goes to 'Más acciones'.
    finalFocus: () => (openerRef.current?.isConnected ? openerRef.current : moreRef.current),
  };
  return (
    <>
      {own !== null && (
        <Button
          size="sm"
          variant="primary"
          icon={OWN_BUTTONS[own].icon}
          onClick={({ currentTarget }) => choose(own, currentTarget)}
        >
          {OWN_BUTTONS[own].label}
        </Button>
      )}
      {isPossible('charge') && isFree && (
        <Button size="sm" icon={HandCoins} onClick={({ currentTarget }) => choose('charge', currentTarget)}>
          {chargeTexts.action}
        </Button>
      )}
      <ContactLinks
        phone={license.client_phone}
        email={license.client_email}
        emailShown={license.client_email_shown}
      />
      <WhatsAppMenu license={license} />
      {license.can.includes('resend_email') && (
        <ResendMail license={license} variant={look('resend_email')} />
      )}
      {license.can.includes('update') && (
        <Button size="sm" icon={Pencil} onClick={onEdit}>
          {words.edit}
        </Button>
      )}
      <MoreActions license={license} buttonRef={moreRef} onChoose={(verb) => choose(verb, moreRef.current)} />
      <DialogPlace open={asked !== null}>
        {asked === 'release' && <ReleaseMachineDialog {...dialog} />}
        {asked === 'adjust' && <AdjustUsageDialog {...dialog} />}
        {asked !== null && asked !== 'release' && asked !== 'adjust' && (
          <LicenseVerbDialog {...dialog} verb={asked} />
        )}
      </DialogPlace>
    </>
  );
}

interface MoreActionsProps {
  license: LicenseAnswer;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onChoose: (verb: MenuVerb) => void;
}

/** 'Más acciones' of a licence: the actions that the server allows (LIFE-05), and the certificate (LIFE-12). */
function MoreActions({ license, buttonRef, onChoose }: MoreActionsProps) {
  const [open, setOpen] = useState(false);
  const mayCharge = useOffers()('payment_requests.create');
  const items = actionItems(license, onChoose, useNavigate(), mayCharge);
  if (items.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button ref={buttonRef} size="sm" icon={Ellipsis}>
          {words.more}
        </Button>
      }
      items={items}
      open={open}
      onOpenChange={setOpen}
    />
  );
}
