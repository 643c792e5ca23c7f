import t from 'tap';
import { type Case, runCases } from '../cases.ts';

t.test('math functions answer what the extension says', async (t) => {
  const cases: Case[] = [
    ['math.least(3)', 3],
    ['math.least(3, 1)', 1],
    ['math.least(3, 1, 2)', 1],
    ['math.least(3, 1, 2, 0)', 0],
    ['math.least(1.5, 1)', 1],
    ['math.least(1.5, 1, 2, 0.5)', 0.5],
    ['math.greatest(1, 2.5, 2)', 2.5],
    ['math.least(1, 1.5)', 1],
    ['math.greatest([1, 3, 2])', 3],
    ['math.greatest([1.5, 0.5])', 1.5],
    ['math.greatest([])', 'error: invalid_argument'],
    ['math.greatest(dyn([1, "a"]))', 'error: no_such_overload'],
    ['math.ceil(1.2) + math.floor(1.8) + math.trunc(-1.8)', 2],
    ['math.round(2.5)', 3],
    ['math.round(-2.5)', -3],
    ['math.abs(-3)', 3],
    ['math.abs(-1.5)', 1.5],
    ['math.sign(-3)', -1],
    ['math.sign(2.5)', 1],
    ['math.isNaN(0.0 / 0.0) && !math.isNaN(1.0)', true],
    ['math.isInf(-1.0 / 0.0) && !math.isInf(1.0)', true],
    ['math.isFinite(1.0) && !math.isFinite(1.0 / 0.0)', true],
  ];
  runCases(t, cases);
});
