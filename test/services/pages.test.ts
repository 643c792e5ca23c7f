import t from 'tap';
import { responsePage } from '../../src/services/pages.ts';

t.test('a page names where it stands, and answers each item', async (t) => {
  const page = await responsePage({ items: [1, 2], total: 7 }, { page: 3, size: 2 }, (n) => n * 10);
  t.strictSame(page, { data: [10, 20], pagination: { total: 7, page: 3, size: 2 } });
});
