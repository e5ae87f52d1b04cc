import type { ChangeEvent, ReactNode } from 'react';
import { personFieldTexts as texts } from '../../../text/es-account.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

type Name = 'names' | 'username';

interface PersonFieldsProps {
  field: (name: Name) => {
    name: string;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  error: (name: Name) => string | undefined;
  /** Fields between the two. */
  children?: ReactNode;
}

/** How a person who joins is called, and the user name that was made of the email: what it is for stands below it. */
export const PersonFields = ({ field, error, children }: PersonFieldsProps) => (
  <>
    <Field label={texts.names} error={error('names')}>
      <TextInput {...field('names')} autoComplete="name" autoFocus className="h-11" />
    </Field>
    {children}
    <Field label={texts.username} error={error('username')} help={texts.usernameHelp}>
      <TextInput
        {...field('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        className="h-11"
      />
    </Field>
  </>
);
