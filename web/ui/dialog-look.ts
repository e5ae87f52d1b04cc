/** The classes of a dialog, shared with the frame that stands in its place while its code loads. */

export type DialogSize = 'sm' | 'md' | 'lg' | 'xl' | 'full';

/** Five sizes by name; with the 24 rem of `ConfirmDialog` the six widths of the specification (D102). */
export const DIALOG_WIDTHS: Record<DialogSize, string> = {
  sm: 'sm:max-w-[28rem]',
  md: 'sm:max-w-[32rem]',
  lg: 'sm:max-w-[42rem]',
  xl: 'sm:max-w-[56rem]',
  full: 'sm:max-w-[80rem]',
};

export const VIEWPORT_CLASS = 'fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6';

export const POPUP_CLASS =
  'relative flex max-h-full w-full flex-col bg-raised shadow-over outline-none max-sm:h-[calc(100dvh-1rem)] max-sm:rounded-t-xl sm:rounded-xl';

export const HEADER_CLASS = 'shrink-0 border-b border-border py-4 pr-14 pl-5';

export const TITLE_CLASS = 'text-base font-semibold text-text';

export const CLOSE_CLASS =
  'absolute top-2.5 right-3 flex size-9 items-center justify-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-text pointer-coarse:top-1.5 pointer-coarse:size-11';
