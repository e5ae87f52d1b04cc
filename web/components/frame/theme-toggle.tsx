import { Moon, Sun } from 'lucide-react';
import { layoutTexts } from '../../text/es-layout.ts';
import { IconButton } from '../../ui/button.tsx';
import { setTheme, useUi } from '../screen/ui-store.ts';

/**
 * Switches between light and dark; the choice is stored under license_manager_theme (D040). The label names the theme
 * that a click selects.
 */
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
