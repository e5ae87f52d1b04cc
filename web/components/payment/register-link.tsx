import { BadgeCheck } from 'lucide-react';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { registerTexts as texts } from '../../text/es-charges.ts';
import { buttonClass } from '../../ui/button.tsx';
import { OVER_LIST } from '../record/dialog-step.ts';
import { useMayRegister } from './may-register.ts';

/** 'Registrar pago': opens the dialog for an open request; closing it leads back (MONEY-13). */
export function RegisterLink({ id }: { id: number }) {
  if (!useMayRegister()) return null;
  return (
    <Link
      to={PATHS.payments}
      search={{ registrar: id }}
      state={OVER_LIST}
      preload={false}
      className={buttonClass('secondary', 'sm', 'gap-2')}
    >
      <BadgeCheck aria-hidden className="size-4 shrink-0" />
      {texts.action}
    </Link>
  );
}
