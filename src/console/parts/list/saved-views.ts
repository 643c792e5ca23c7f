import { signal } from '@preact/signals';

/** A page with filters, order and columns, under a name that an operator gave. All of it is in the address. */
export interface SavedView {
  name: string;
  /** The address in the console: `/console/evaluations?decision=BLOCK`. */
  href: string;
}

const key = 'assize.views';

function read(): SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    const isView = (one: SavedView) => typeof one?.name === 'string' && one.href?.startsWith('/console/');
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Kept in this browser, as the other preferences are. */
export const views = signal<readonly SavedView[]>(read());

function keep(next: readonly SavedView[]): void {
  views.value = next;
  localStorage.setItem(key, JSON.stringify(next));
}

/** Replaces a view of the same name on the same page. */
export function saveView(view: SavedView): void {
  keep([...views.value.filter((one) => !isSame(one, view)), view]);
}

export function removeView(view: SavedView): void {
  keep(views.value.filter((one) => !isSame(one, view)));
}

const pathOf = ({ href }: SavedView): string => href.split('?')[0] ?? href;
const isSame = (one: SavedView, other: SavedView): boolean =>
  one.name === other.name && pathOf(one) === pathOf(other);
