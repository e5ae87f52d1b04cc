/** What a month adds to and takes from the recurring revenue, in the order in which a waterfall shows it (REPORT-05). */
export const RECURRING_MOVES = ['new', 'expansion', 'reactivated', 'contraction', 'churned'] as const;
export type RecurringMove = (typeof RECURRING_MOVES)[number];

/** Whether a movement makes the recurring revenue larger (1) or smaller (-1). */
export const MOVE_SIGNS = {
  new: 1,
  expansion: 1,
  reactivated: 1,
  contraction: -1,
  churned: -1,
} as const satisfies Record<RecurringMove, 1 | -1>;
