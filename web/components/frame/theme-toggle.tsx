import { Moon, Sun } from 'lucide-react';
import { layoutTexts } from '../../text/es-layout.ts';
import { IconButton } from '../../ui/button.tsx';
import { setTheme, useUi } from './ui-store.ts';

/** Switches light and dark, stored under license_manager_theme (D040). Its label names the theme it switches to. */
export function ThemeToggle() {
  const theme = useUi((state) => state.theme);
  const dark = theme === 'dark';
  return (
    <IconButton
      label={dark ? layoutTexts.lightTheme : layoutTexts.darkTheme}
      icon={dark ? Sun : Moon}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    />
  );
}
