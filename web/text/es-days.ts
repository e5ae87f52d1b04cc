/** Explains three kinds of days that are easily confused, at each field where they are entered. */

/** LIFE-13. */
export const GRACE_HELP =
  'Días que el programa sigue funcionando ya vencida la licencia, con un aviso. No mueve la fecha de vencimiento: eso lo hace una prórroga.';

/** PROG-03. */
export const OFFLINE_HELP =
  'Días que el programa funciona sin preguntar al servidor mientras la licencia vale. No la alargan: para eso están la gracia y la prórroga.';

/** LIFE-03. */
export const EXTENSION_EFFECT =
  'Mueve la fecha de vencimiento unos días sin una venta, una sola vez por periodo. La gracia corre después de esa fecha.';
