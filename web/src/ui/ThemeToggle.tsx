import { Moon, Sun } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { themeState, toggleTheme } from '../state/theme.ts';

export function ThemeToggle() {
  const { theme } = useSnapshot(themeState);
  const Icon = theme === 'dark' ? Sun : Moon;
  const label = theme === 'dark' ? 'Use the light theme' : 'Use the dark theme';
  return (
    <button type="button" className="btn btn-ghost btn-icon" aria-label={label} title={label} onClick={toggleTheme}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
