import type { LicenseVerb } from '../../../contract/licenses/license-can.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { actionRefusal } from '../../../contract/licenses/verbs/index.ts';
import { useOffers } from '../../api/offers.ts';
import { nextAction, QUESTION_OF } from '../../components/license/next-action.ts';
import { ResendMail } from '../../components/license/resend-mail.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';

/**
 * The one button of a licence among those of its client: what its state asks for, if anything (DESK-05). A client's
 * details do not say what may be done with each licence, so the guards of the contract decide.
 */
export function LicenseNext({ license }: { license: License }) {
  const isOffered = useOffers();
  const can: LicenseVerb[] = [
    ...(['renew', 'reinstate'] as const).filter(
      (verb) => isOffered(`licenses.${verb}`) && actionRefusal(verb, license) === null,
    ),
    ...(isOffered('mails.resend') ? (['resend_email'] as const) : []),
  ];
  const next = nextAction({ ...license, can }, new Date());
  if (next === null) return null;
  if (next === 'resend_email') return <ResendMail license={license} variant="secondary" />;
  const { label, icon: Icon } = VERB_WORDS[next];
  return (
    <Link
      to={PATHS.license}
      params={{ id: String(license.id) }}
      search={{ accion: QUESTION_OF[next] }}
      aria-label={`${label} ${license.license_key}`}
      className={buttonClass('secondary', 'sm', 'gap-2')}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {label}
    </Link>
  );
}
