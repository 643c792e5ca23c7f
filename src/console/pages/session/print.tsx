import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useChange } from '../../data/change.ts';
import type { TimelineLoader } from '../../data/timeline.ts';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';

interface PrintButtonProps {
  loader: TimelineLoader;
  /** Whether all rows of the timeline are on the page, instead of those in sight. */
  isWhole: Signal<boolean>;
}

/** Prints all of a session: what was never scrolled to is neither loaded nor on the page. */
export function PrintButton({ loader, isWhole }: PrintButtonProps) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  useEffect(() => {
    const end = () => {
      isWhole.value = false;
    };
    addEventListener('afterprint', end);
    return () => removeEventListener('afterprint', end);
  }, [isWhole]);

  async function printAll() {
    await loader.loadAll();
    isWhole.value = true;
    await rendered();
    print();
  }
  return (
    <>
      <button type="button" class="button small" disabled={isBusy} onClick={() => void run(printAll)}>
        {isBusy ? text.preparingPrint : text.print}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

/** The first frame draws what was changed, the second one comes after it. */
const rendered = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
