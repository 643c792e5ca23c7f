import t from 'tap';
import { boundedLabels } from '../../src/metrics/metrics.ts';

t.test('labels beyond the limit share one series, and known ones keep theirs', async (t) => {
  const labels = boundedLabels(['policy', 'rule'], 2);
  t.strictSame(labels(['p', 'a']), { policy: 'p', rule: 'a' });
  t.strictSame(labels(['p', 'b']), { policy: 'p', rule: 'b' });
  t.strictSame(labels(['p', 'c']), { policy: '(other)', rule: '(other)' });
  t.equal(labels(['p', 'c']), labels(['p', 'd']));
  t.strictSame(labels(['p', 'b']), { policy: 'p', rule: 'b' });
});
