import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface MenuProps {
  icon: IconName;
  label: string;
  children: ComponentChildren;
}

/** A button that opens a small panel below it. Esc, and a press elsewhere, close it. */
export function Menu({ icon, label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const close = (event: Event) => {
      const details = element.current;
      if (details?.open && !details.contains(event.target as Node)) details.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  const closeByKey = (event: KeyboardEvent) => {
    const details = element.current;
    if (event.key !== 'Escape' || !details?.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  return (
    <details
      class="menu"
      ref={element}
      onKeyDown={closeByKey}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class="button small">
        <Icon name={icon} size={14} />
        <span>{label}</span>
      </summary>
      {isOpen && <div class="menu-panel">{children}</div>}
    </details>
  );
}
