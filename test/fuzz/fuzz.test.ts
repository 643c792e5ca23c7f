import t from 'tap';
import { type FuzzReport, fuzz } from './run.ts';

// A slice of what `npm run fuzz` does, the same each time.

t.test('no damaged document takes a reader 50 ms, or makes it fail', async (t) => {
  const reports: FuzzReport[] = [];
  for await (const report of fuzz({ seed: 2026, cases: 4_000, limitMs: 50, hangMs: 10_000 }))
    reports.push(report);
  for (const { entryPoint, findings } of reports) t.strictSame(findings, [], entryPoint);
  t.equal(reports.length, 13);
});
