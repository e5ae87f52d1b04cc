import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { TextInput } from './text-input.tsx';

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  autoComplete: 'current-password' | 'new-password';
  /** True: as high as a large button. */
  large?: boolean;
}

/** A password input with a button that shows its characters. */
export function PasswordInput({ large = false, className, ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative block">
      <TextInput
        {...props}
        type={shown ? 'text' : 'password'}
        className={cx(large && 'h-11', 'pr-11', className)}
      />
      <IconButton
        // Not 'Mostrar contraseña', because only the name of the field itself may contain 'contraseña'.
        label="Mostrar caracteres"
        size={large ? 'md' : 'sm'}
        icon={shown ? EyeOff : Eye}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0"
      />
    </span>
  );
}
