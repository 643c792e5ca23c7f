import type { ComponentChildren } from 'preact';
import { go } from '../data/route.ts';

interface LinkProps {
  /** A path of the console, never something an agent sent. */
  href: string;
  children: ComponentChildren;
  class?: string;
  current?: boolean;
}

/** Opens a page of the console without loading everything anew; with a modifier key as every other link. */
export function Link({ href, children, class: name, current }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a href={href} class={name} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
