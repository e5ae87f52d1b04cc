/** The classes of a dialog, shared with its placeholder frame. */

export type DialogSize = 'sm' | 'md' | 'lg' | 'xl' | 'full' | 'place';

/**
 * Five named sizes; together with the 24 rem of `ConfirmDialog` these are the six widths of the specification (D102).
 * `place`, for the details of a record, is as wide as `xl`, and as `full` from 1024 px on.
 */
export const DIALOG_WIDTHS: Record<DialogSize, string> = {
  sm: 'sm:max-w-[28rem]',
  md: 'sm:max-w-[32rem]',
  lg: 'sm:max-w-[42rem]',
  xl: 'sm:max-w-[56rem]',
  full: 'sm:max-w-[80rem]',
  place: 'sm:max-w-[56rem] lg:max-w-[80rem]',
};

export const VIEWPORT_CLASS = 'fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6';

export const POPUP_CLASS =
  'relative flex max-h-full w-full flex-col bg-raised shadow-over outline-none max-sm:h-[calc(100dvh-1rem)] max-sm:rounded-t-xl sm:rounded-xl';

/** The title must not overlap the ×. */
export const HEADER_CLASS = 'shrink-0 border-b border-border px-5 py-4';

export const TITLE_CLASS = 'pr-9 text-base font-semibold text-text';

/** A small title above the name of the record. */
export const TITLE_OVER_SUBJECT_CLASS = 'pr-9 text-sm font-medium text-muted';

/** The same height for every tab. */
export const STEADY_CLASS = 'sm:h-[min(48rem,100%)]';

/** The name of the button that closes a dialog. */
export const CLOSE = 'Cerrar';

export const CLOSE_CLASS =
  'absolute top-2.5 right-3 flex size-9 items-center justify-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-text pointer-coarse:top-1.5 pointer-coarse:size-11';

/**
 * The size `place` from 1024 px on: header at the top, data on the left, actions on the right. The right column is
 * wider while a dialog is open in it.
 */
export const PLACE_CLASS =
  'lg:grid lg:grid-cols-[minmax(0,1fr)_17rem] lg:grid-rows-[auto_minmax(0,1fr)] lg:data-panel:grid-cols-[minmax(0,1fr)_27rem]';

/** On narrower windows the actions are buttons under the header. */
export const COLUMN_CLASS =
  'flex min-h-0 flex-col max-lg:shrink-0 max-lg:border-b max-lg:border-border max-lg:px-5 max-lg:pb-4 lg:col-start-2 lg:row-start-2 lg:border-l lg:border-border';

export const COLUMN_CONTENT_CLASS = 'lg:min-h-0 lg:space-y-5 lg:overflow-y-auto lg:p-5';

export const COLUMN_ACTIONS_CLASS =
  'flex flex-wrap gap-2 max-sm:*:flex-1 lg:flex-col lg:flex-nowrap lg:*:h-9 lg:*:shrink-0 lg:*:justify-start lg:*:px-3.5';
