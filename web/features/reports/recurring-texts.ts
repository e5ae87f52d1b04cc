import type { RecurringMove } from '../../../contract/figures/recurring-moves.ts';
import { formatDate } from '../../text/format.ts';

/** The texts of 'Venta recurrente' (REPORT-05). */
export const recurringTexts = {
  chart: (currency: string) => `Venta recurrente al mes en ${currency}`,
  endToday: 'Al mes, hoy',
  endThen: 'Al mes, al final',
  arpaHint: 'Al mes, en promedio',
  nrrHint: 'La bruta, más lo ampliado y recuperado',
  grrHint: 'Lo del inicio, menos lo reducido y perdido',
} as const;

type Period = Record<RecurringMove | 'start' | 'end', number> & { from: string; to: string };

const GAINS: [RecurringMove, (amount: string) => string][] = [
  ['new', (amount) => `${amount} de clientes nuevos`],
  ['expansion', (amount) => `${amount} de clientes que compraron más`],
  ['reactivated', (amount) => `${amount} de clientes que volvieron`],
];
const LOSSES: [RecurringMove, (amount: string) => string][] = [
  ['contraction', (amount) => `${amount} de clientes que redujeron`],
  ['churned', (amount) => `${amount} de clientes que se fueron`],
];

const list = new Intl.ListFormat('es', { type: 'conjunction' });

/** One sentence that says what happened between two days. */
export function recurringSentence(period: Period, money: (amount: number) => string): string {
  const { start, end, from, to } = period;
  const partsOf = (moves: typeof GAINS) =>
    moves.flatMap(([name, say]) => (period[name] === 0 ? [] : say(money(period[name]))));
  const [gains, losses] = [partsOf(GAINS), partsOf(LOSSES)];
  const days = `Del ${formatDate(from)} al ${formatDate(to)} la venta recurrente`;
  if (gains.length + losses.length === 0) return `${days} no cambió: ${money(end)} al mes.`;
  const change =
    end === start
      ? `quedó igual, en ${money(end)} al mes`
      : `${end > start ? 'subió' : 'bajó'} de ${money(start)} a ${money(end)} al mes`;
  const why = [
    gains.length > 0 && `sumó ${list.format(gains)}`,
    losses.length > 0 && `perdió ${list.format(losses)}`,
  ].filter((part) => part !== false);
  return `${days} ${change}: ${why.join('; ')}.`;
}
