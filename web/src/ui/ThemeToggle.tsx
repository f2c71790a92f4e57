import { Moon, Sun } from 'lucide-react';
import { toggleTheme } from '../state/theme.ts';

/** Both icons are in the page and the style sheet shows one: the prerendered page does not know the reader's theme. */
export function ThemeToggle() {
  return (
    <button type="button" className="btn btn-ghost btn-icon" onClick={toggleTheme}>
      <span className="only-dark">
        <Sun size={16} aria-hidden="true" />
        <span className="sr-only">Use the light theme</span>
      </span>
      <span className="only-light">
        <Moon size={16} aria-hidden="true" />
        <span className="sr-only">Use the dark theme</span>
      </span>
    </button>
  );
}
