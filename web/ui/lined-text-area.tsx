import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

interface LinedTextAreaProps extends ComponentProps<'textarea'> {
  /** The typed text, for the line numbers. */
  text: string;
  /** The line with an error, counted from 1. */
  wrongLine?: number | null;
}

/** The classes of both the text and its copy with the numbers, so that both wrap at the same positions. */
const TEXT = 'col-start-1 row-start-1 py-2.5 pr-3 pl-11 font-mono whitespace-pre-wrap wrap-anywhere';

/**
 * A text area with line numbers, for templates. The numbers belong to a copy of the text behind the field, which also
 * determines the height of the field.
 */
export function LinedTextArea({ text, wrongLine = null, className, ...props }: LinedTextAreaProps) {
  return (
    <div
      className={cx(
        'overflow-y-auto rounded-lg border border-border-strong bg-surface shadow-edge hover:border-muted',
        'has-focus:border-brand-text has-focus:outline-2 has-focus:outline-brand-text/35',
        'has-aria-invalid:border-critical has-aria-invalid:has-focus:outline-critical/35',
        className,
      )}
    >
      <div className="grid min-h-full text-[0.8125rem]/5 pointer-coarse:text-base/6">
        <div aria-hidden className={cx(TEXT, 'pointer-events-none text-transparent select-none')}>
          {text.split('\n').map((line, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number alone.
              key={index}
              data-line={index + 1}
              data-wrong={index + 1 === wrongLine || undefined}
              className="relative -mr-3 -ml-11 scroll-my-8 pr-3 pl-11 before:absolute before:left-0 before:w-8 before:text-right before:text-xs/5 before:text-muted before:content-[attr(data-line)] data-wrong:bg-critical-tint data-wrong:before:font-semibold data-wrong:before:text-critical-text pointer-coarse:before:leading-6"
            >
              {/* A zero-width space gives an empty line the normal height. */}
              {line || '\u200b'}
            </div>
          ))}
        </div>
        <textarea
          {...props}
          {...useFieldControl(props)}
          spellCheck
          className={cx(TEXT, 'relative resize-none overflow-hidden bg-transparent text-text outline-none')}
        />
      </div>
    </div>
  );
}
