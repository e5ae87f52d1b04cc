import type { TemplateVariable } from '../../../contract/mail/mails.ts';
import { templateTexts as texts } from '../../text/es-mail.ts';

interface TemplateVariablesProps {
  variables: readonly TemplateVariable[];
  onInsert: (text: string) => void;
}

/** The name of the loop variable for a list. */
const ITEM = 'item';

/** The text that is inserted for a variable: a loop for a list, a condition for a flag, a link for a one-time link. */
function writtenAs({ name, type, items }: TemplateVariable): string {
  switch (type) {
    case 'text':
    case 'number':
      return `{{ ${name} }}`;
    case 'link':
      return `[${texts.linkText}]({{ ${name} }})`;
    case 'flag':
      return `{% if ${name} %}{% endif %}`;
    case 'list':
      return `{% for ${ITEM} in ${name} %}\n{{ ${ITEM}.${items[0]?.name ?? ''} }}\n{% endfor %}`;
  }
}

/** The variables of a template: each has a button that inserts it at the caret. */
export function TemplateVariables({ variables, onInsert }: TemplateVariablesProps) {
  return (
    <ul className="divide-y divide-border">
      {variables.map((variable) => (
        <li key={variable.name}>
          <VariableButton {...variable} onInsert={() => onInsert(writtenAs(variable))} />
          {variable.items.length > 0 && (
            <ul
              aria-label={texts.listOf(variable.name)}
              className="divide-y divide-border border-t border-border pl-4"
            >
              {variable.items.map((item) => (
                <li key={item.name}>
                  <VariableButton
                    {...item}
                    name={`${ITEM}.${item.name}`}
                    optional={false}
                    onInsert={() => onInsert(`{{ ${ITEM}.${item.name} }}`)}
                  />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

interface VariableButtonProps extends Pick<TemplateVariable, 'name' | 'description' | 'sample' | 'optional'> {
  onInsert: () => void;
}

const VariableButton = ({ name, description, sample, optional, onInsert }: VariableButtonProps) => (
  <button
    type="button"
    onClick={onInsert}
    className="block w-full px-3 py-2 text-left -outline-offset-2 hover:bg-sunken pointer-coarse:px-5 pointer-coarse:py-3"
  >
    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span>{description}</span>
      <code translate="no" className="font-mono text-xs text-brand-text wrap-anywhere">
        {name}
      </code>
    </span>
    <span className="block truncate text-xs text-muted">
      {[sample && texts.sample(sample), optional && texts.optional].filter(Boolean).join(' · ')}
    </span>
  </button>
);
