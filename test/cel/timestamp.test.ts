import t from 'tap';
import {
  createDuration,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromEpochMs,
} from '../../src/cel/index.ts';
import { civilFromDays, daysFromCivil } from '../../src/cel/time.ts';

t.test('RFC 3339 is read and written, and nothing else is read', async (t) => {
  const good: [string, string][] = [
    ['2026-11-20T10:20:30Z', '2026-11-20T10:20:30Z'],
    ['2026-11-20t10:20:30.120z', '2026-11-20T10:20:30.12Z'],
    ['2026-11-20T10:20:30+02:30', '2026-11-20T07:50:30Z'],
    ['2026-11-20T23:20:30-02:30', '2026-11-21T01:50:30Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00.000000001Z', '2000-02-29T00:00:00.000000001Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
  ];
  for (const [text, expected] of good) {
    const read = parseTimestamp(text);
    t.equal(read && formatTimestamp(read), expected, text);
  }
  // biome-ignore format: short texts read better in rows
  const bad = [
    '', '2026-11-20', '2026-11-20T10:20:30', '2026-11-20 10:20:30Z', '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-00-01T00:00:00Z', '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+00:60',
    '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00Z',
    '2026-01-01T00:00:00.1234567890Z',
  ];
  for (const text of bad) t.equal(parseTimestamp(text), null, text);
});

t.test('moments come from milliseconds, before 1970 too', async (t) => {
  t.match(timestampFromEpochMs(1500), { seconds: 1, nanos: 500_000_000 });
  t.match(timestampFromEpochMs(-1), { seconds: -1, nanos: 999_000_000 });
  t.equal(timestampFromEpochMs(Number.NaN), null);
  t.equal(timestampFromEpochMs(1e17), null);
});

t.test('days and dates are the same thing, for every day of 800 years', async (t) => {
  let expected = daysFromCivil({ year: 1601, month: 1, day: 1 });
  let wrong = 0;
  const end = daysFromCivil({ year: 2401, month: 1, day: 1 });
  t.equal(end - expected, 2 * 146_097);
  for (; expected < end; expected += 1) if (daysFromCivil(civilFromDays(expected)) !== expected) wrong += 1;
  t.equal(wrong, 0);
  t.same(civilFromDays(0), { year: 1970, month: 1, day: 1 });
  t.same(civilFromDays(-1), { year: 1969, month: 12, day: 31 });
  t.same(civilFromDays(-719_529), { year: -1, month: 12, day: 31 });
});

t.test('durations are read as Go reads them, and written in seconds', async (t) => {
  const good: [string, string][] = [
    ['1h30m', '5400s'],
    ['-1.5h', '-5400s'],
    ['1.5s', '1.5s'],
    ['100ms', '0.1s'],
    ['1us', '0.000001s'],
    ['1µs', '0.000001s'],
    ['1ns', '0.000000001s'],
    ['0', '0s'],
    ['+.5s', '0.5s'],
    ['1.s', '1s'],
    ['1s-', 'bad'],
    ['-1ns', '-0.000000001s'],
    ['2562047h', '9223369200s'],
  ];
  for (const [text, expected] of good) {
    const read = parseDuration(text);
    t.equal(read === null ? 'bad' : formatDuration(read), expected, text);
  }
  for (const text of ['', '1', 's', '1d', '1 s', '--1s', '1h-1m', '3000000h', '.s'])
    t.equal(parseDuration(text), null, text);
});

t.test('the parts of a duration have one sign', async (t) => {
  t.match(createDuration(2, -500_000_000), { seconds: 1, nanos: 500_000_000 });
  t.match(createDuration(-2, 500_000_000), { seconds: -1, nanos: -500_000_000 });
  t.match(createDuration(0, -1_500_000_000), { seconds: -1, nanos: -500_000_000 });
  t.equal(createDuration(Number.POSITIVE_INFINITY, 0), null);
});
