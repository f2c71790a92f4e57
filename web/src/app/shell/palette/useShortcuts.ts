import { useEffect } from 'react';
import { openTab } from '../../../state/navigation.ts';
import { shellTabs } from '../tabs.ts';
import { paletteState } from './paletteState.ts';
import { shortcutOf } from './shortcuts.ts';

const GO_MS = 1000;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys that work anywhere in the shell. */
export function useShortcuts(): void {
  useEffect(() => {
    let goUntilMs = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isTyping = isField(event.target) || paletteState.open !== null;
      const press = { key: event.key, isCommand: event.ctrlKey || event.metaKey, isTyping };
      const step = shortcutOf(press, performance.now() < goUntilMs);
      goUntilMs = step.kind === 'awaitGo' ? performance.now() + GO_MS : 0;
      if (step.kind === 'none' || step.kind === 'awaitGo') return;
      event.preventDefault();
      if (step.kind === 'palette') paletteState.open = paletteState.open === 'palette' ? null : 'palette';
      if (step.kind === 'shortcuts') paletteState.open = 'shortcuts';
      if (step.kind === 'tab' && shellTabs.some(({ id }) => id === step.id)) openTab(step.id);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
