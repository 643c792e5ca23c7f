import type { Pagination } from '../../client/index.ts';
import { count } from '../data/format.ts';
import { setQuery } from '../data/route.ts';
import { words } from '../strings/index.ts';

export function Pager({ pagination: { total, page, size } }: { pagination: Pagination }) {
  const { common } = words.value;
  const pages = Math.max(1, Math.ceil(total / size));
  // The address may name a page that is not there, or not any more.
  const open = (next: number) => setQuery({ page: next <= 1 ? null : String(Math.min(next, pages)) });
  return (
    <nav class="pager" aria-label={common.page(page, pages)}>
      <span class="quiet">{common.total(count(total))}</span>
      {pages > 1 && (
        <>
          <button type="button" class="button small" disabled={page <= 1} onClick={() => open(page - 1)}>
            {common.newer}
          </button>
          <span>{common.page(page, pages)}</span>
          <button type="button" class="button small" disabled={page >= pages} onClick={() => open(page + 1)}>
            {common.older}
          </button>
        </>
      )}
    </nav>
  );
}
