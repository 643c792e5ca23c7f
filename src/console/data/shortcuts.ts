import { useLayoutEffect, useRef } from 'preact/hooks';
import { shortcuts } from './preferences.ts';

/** Keys of one letter, while nothing is typed into and no dialog is open. Can be turned off (WCAG 2.1.4). */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Whoever sees the page may press a key at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (shortcuts.value === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (
        target.matches('input, textarea, select, [contenteditable]') ||
        document.querySelector('dialog[open]')
      )
        return;
      const name = event.key.toLowerCase();
      const run = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
