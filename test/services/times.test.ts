import t from 'tap';
import { isoTime, isoTimeOrNull, parseFutureTime, parseTime } from '../../src/services/times.ts';

t.test('times are answered in UTC with milliseconds', async (t) => {
  t.equal(isoTime(0), '1970-01-01T00:00:00.000Z');
  t.equal(isoTimeOrNull(1), '1970-01-01T00:00:00.001Z');
  t.equal(isoTimeOrNull(null), null);
});

t.test('every moment is written as the platform writes it', async (t) => {
  const limit = 8_640_000_000_000_000;
  const near = [
    0,
    1_893_456_000_000,
    951_782_400_000,
    -62_167_219_200_000,
    253_402_300_799_999,
    limit,
    -limit,
  ];
  const moments = near.flatMap((at) =>
    [-86_400_000, -1_000, -1, 0, 1, 9, 10, 99, 100, 59_999, 3_599_999].map((by) => at + by),
  );
  for (let count = 0, at = 1; count < 5_000; count++) {
    at = (at * 48_271) % 2_147_483_647;
    moments.push(Math.floor((at / 2_147_483_647 - 0.5) * 2 * (count % 2 ? limit : 4e12)));
  }
  for (const ms of moments) {
    if (Math.abs(ms) > limit) t.throws(() => isoTime(ms), RangeError, `${ms}`);
    else if (isoTime(ms) !== new Date(ms).toISOString()) t.fail(`${ms} is ${isoTime(ms)}`);
  }
  t.throws(() => isoTime(Number.NaN), RangeError);
});

t.test('a time with an offset is that moment', async (t) => {
  for (const text of ['2030-01-01T02:00:00+02:00', '2029-12-31T23:00:00.000-01:00', '2030-01-01T00:00:00Z']) {
    t.equal(parseTime(text, '/at'), Date.UTC(2030, 0, 1), text);
  }
});

t.test('what is no moment is refused, naming the field', async (t) => {
  for (const text of ['2030-13-01T00:00:00Z', '2030-01-01T25:00:00Z', 'soon', '']) {
    t.throws(() => parseTime(text, '/at'), {
      code: 'invalid',
      details: [{ path: '/at', message: /ISO 8601/ }],
    });
  }
});

t.test('the future begins after now', async (t) => {
  const now = Date.UTC(2030, 0, 1);
  t.equal(parseFutureTime('2030-01-01T00:00:00.001Z', now, '/at'), now + 1);
  for (const text of ['2030-01-01T00:00:00.000Z', '2029-12-31T00:00:00Z']) {
    t.throws(() => parseFutureTime(text, now, '/at'), {
      code: 'invalid',
      details: [{ path: '/at', message: 'must be in the future' }],
    });
  }
});
