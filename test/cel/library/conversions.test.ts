import t from 'tap';
import { type Case, runCases } from '../cases.ts';

const INVALID = 'error: invalid_argument';

t.test('conversions read what they write, and refuse the rest', async (t) => {
  const cases: Case[] = [
    [
      '[bool("true"), bool("T"), bool("1"), bool("False"), bool("0"), bool(true)]',
      [true, true, true, false, false, true],
    ],
    ['bool("yes")', INVALID],
    ['[int("-12"), int("+3"), int(2.9), int(-2.9), int(4)]', [-12, 3, 2, -2, 4]],
    ['int(timestamp("1970-01-01T00:01:00Z"))', 60],
    ['int("")', INVALID],
    ['int("1.5")', INVALID],
    ['int("9007199254740993")', 9007199254740993n],
    ['int("+000000000000000000009223372036854775807")', 9223372036854775807n],
    ['int("-9223372036854775808")', -9223372036854775808n],
    ['int("9223372036854775808")', 'error: overflow'],
    ['int("100000000000000000000")', 'error: overflow'],
    ['string(9007199254740993) + string(dyn(9223372036854775807))', '90071992547409939223372036854775807'],
    ['double(9007199254740993)', 9007199254740992],
    ['int(9007199254740994.0)', 9007199254740994n],
    ['int(1e300)', 'error: overflow'],
    ['int(0.0 / 0.0)', 'error: overflow'],
    [
      '[double("1.5"), double(".5"), double("1e3"), double("-2."), double(3), double(1.5)]',
      [1.5, 0.5, 1000, -2, 3, 1.5],
    ],
    ['double("a")', INVALID],
    ['double("")', INVALID],
    ['string(double("NaN")) + string(double("-inf")) + string(double("Infinity"))', 'NaN-InfinityInfinity'],
    ['string(1) + string(1.5) + string(true) + string("a")', '11.5truea'],
    ['string(timestamp("2026-01-02T03:04:05.600Z"))', '2026-01-02T03:04:05.6Z'],
    ['string(duration("90m"))', '5400s'],
    ['timestamp(timestamp(60))', '1970-01-01T00:01:00Z'],
    ['timestamp("yesterday")', INVALID],
    ['timestamp(9007199254740991)', 'error: overflow'],
    ['duration(duration("1s"))', '1s'],
    ['duration("soon")', INVALID],
    ['dyn(1) == 1.0', true],
  ];
  runCases(t, cases);
});
