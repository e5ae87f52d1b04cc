/** The error of a period whose last day is before its first. */
export const BACKWARDS = 'El último día no puede ser anterior al primero';

/** The texts of the dialog 'Filtros', which load with it (LIST-02). */
export const filterDialogTexts = {
  done: 'Listo',
  order: 'Ordenar por',
  defaultOrder: 'Más recientes primero',
  descending: 'De mayor a menor',
  quick: 'Filtros rápidos',
  sections: { who: 'Cliente y software', expiry: 'Vigencia', use: 'Uso y correo', order: 'Orden' },
  any: 'Cualquiera',
  expiryRange: BACKWARDS,
  dayCount: 'Escribe un número de días entre 1 y 36,525',
} as const;

/** The explanation of a number of days, under its field. */
export const FILTER_HELP = {
  expiring_within: 'Días. Solo licencias que hoy se pueden usar.',
  active_within: 'Días. Algún equipo dio señal en ese tiempo.',
  silent_for: 'Días. Tiene equipos y ninguno dio señal.',
} as const;
