import type { Refusal } from '../../contract/licenses/license-state.ts';
import type { LicenseVerdicts, MachineVerdict } from '../../contract/licenses/license-verdict.ts';
import { countOf, formatDate } from './format.ts';

/** The verdicts of '¿Por qué?', for people who sell licences. Those for developers of programs are in es-integration.ts. */

type Seats = Pick<LicenseVerdicts, 'max_installations' | 'current_installations'>;
type Said = { title: string; text: string };

/** Refusals of the licence itself, on every machine. */
const REFUSED: Partial<Record<Refusal, Said>> = {
  suspended: {
    title: 'No funciona: está suspendida',
    text: 'Sus equipos conservan su lugar. Cuando la reactives, vuelven a trabajar con la misma clave.',
  },
  expired: {
    title: 'No funciona: está vencida',
    text: 'Cuando la renueves, sus equipos vuelven a trabajar con la misma clave.',
  },
  inactive: {
    title: 'No funciona: está inactiva',
    text: 'Edita la licencia y elige el estado Activa: sus equipos vuelven a trabajar con la misma clave.',
  },
  cancelled: {
    title: 'No funciona: está cancelada',
    text: 'Una licencia cancelada no vuelve. Si el cliente sigue contigo, emite otra licencia.',
  },
};

/** The text about a refusal. A newer server may send an unknown reason; then its message is shown. */
export const refusedText = ({ reason, message }: Pick<MachineVerdict, 'reason' | 'message'>): Said =>
  (reason && REFUSED[reason]) || { title: 'No funciona', text: message };

/** The answer for machines that hold a seat. */
export const activatedText = (
  { activated: { grace_until } }: { activated: Pick<MachineVerdict, 'grace_until'> },
  machines: number,
): Said => ({
  title: machines === 1 ? 'Funciona en su equipo' : `Funciona en sus ${machines} equipos`,
  text:
    grace_until === undefined
      ? 'Su programa la acepta.'
      : `Ya venció: su programa la acepta hasta el ${formatDate(grace_until)}. Renuévala antes.`,
});

/** The answer for any other machine. */
export const otherText = ({
  other,
  max_installations,
  current_installations,
}: Seats & { other: Pick<MachineVerdict, 'valid'> }): Said => {
  if (!other.valid) {
    return {
      title: 'No hay lugar para otro equipo',
      text:
        max_installations === 1
          ? 'La licencia es para un equipo y ya lo tiene. Si cambió de equipo, libera el anterior.'
          : `Sus ${max_installations} lugares están ocupados. Libera un equipo que ya no se use.`,
    };
  }
  const left = max_installations - current_installations;
  return {
    title: 'Funciona en otro equipo',
    text: `${left === 1 ? 'Queda' : 'Quedan'} ${countOf(left, { one: 'lugar libre', many: 'lugares libres' })}: se activa al abrir el programa con la clave.`,
  };
};
