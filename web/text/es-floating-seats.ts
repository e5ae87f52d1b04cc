import { MACHINE_NOUN } from './es.ts';
import { releaseTexts } from './es-release.ts';
import { countOf } from './format.ts';

const [HOUR, DAY] = [60, 24 * 60];

/** '30 minutos', '2 horas', '3 días'. */
function minutesInWords(minutes: number): string {
  if (minutes % DAY === 0) return countOf(minutes / DAY, { one: 'día', many: 'días' });
  if (minutes % HOUR === 0) return countOf(minutes / HOUR, { one: 'hora', many: 'horas' });
  return countOf(minutes, { one: 'minuto', many: 'minutos' });
}

/** Texts about floating seats in the details of a licence (CODE-02, CODE-03). */
export const floatingTexts = {
  recent: (count: number) => `${countOf(count, MACHINE_NOUN)} en las últimas 24 horas`,
  blocked: (count: number) =>
    count === 1
      ? '1 lugar devuelto cuenta todavía como ocupado'
      : `${countOf(count, { one: 'lugar devuelto', many: 'lugares devueltos' })} cuentan todavía como ocupados`,
  freeAt: (time: string) => `El próximo lugar queda libre el ${time}`,
  silent: (count: number, minutes: number) =>
    `${countOf(count, MACHINE_NOUN)} sin señal desde hace más de ${minutesInWords(minutes)}`,
  releaseSilent: 'Liberar los que callan',
  question: (count: number) =>
    count === 1
      ? 'Su lugar queda libre ahora. Si su programa sigue abierto, tendrá que activarse de nuevo.'
      : `Sus ${count} lugares quedan libres ahora. Los programas que sigan abiertos tendrán que activarse de nuevo.`,
  worksUntil: (time: string) => `Alguno puede seguir trabajando sin conexión hasta el ${time}.`,
  released: 'Lugares liberados',
  releasing: releaseTexts.releasing,
  failed: 'Error al liberar los equipos',
} as const;
