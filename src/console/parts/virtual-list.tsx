import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps {
  total: number;
  rowHeight: number;
  /** Whether all rows exist, as for printing. */
  isWhole?: boolean;
  label: string;
  /** Whether the end stays in sight when rows are added. */
  follows: boolean;
  /** Told which rows are in sight. */
  onShow: (from: number, to: number) => void;
  row: (place: number) => ComponentChildren;
}

/** Rows above and below those in sight that are there already when a person scrolls. */
const overscan = 12;

/** A list of which only the rows in sight exist: ten thousand scroll as ten do. All rows have the same height. */
export function VirtualList({
  total,
  rowHeight,
  isWhole = false,
  label,
  follows,
  onShow,
  row,
}: VirtualListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  useEffect(() => {
    if (follows && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [follows, total]);

  const from = isWhole ? 0 : Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const end = isWhole ? total : Math.ceil((view.top + view.height) / rowHeight) + overscan;
  const to = Math.min(total - 1, end);
  useEffect(() => onShow(from, to), [from, to, total]);

  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
  return (
    <div class="virtual" ref={frame} tabIndex={0} role="region" aria-label={label}>
      <ol style={{ height: `${total * rowHeight}px` }}>
        {places.map((place) => (
          <li
            key={place}
            aria-setsize={total}
            aria-posinset={place + 1}
            style={{ transform: `translateY(${place * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(place)}
          </li>
        ))}
      </ol>
    </div>
  );
}
