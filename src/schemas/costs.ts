import { type Static, Type } from '@sinclair/typebox';

/** Sums of larger amounts would not be exact to a cent for long. */
const mostAmount = 1e15;

export const CostUnit = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,31}$' });

/** What an action costs, by unit: `{"usd": 0.02, "tokens": 1500}`. */
export const Cost = Type.Record(CostUnit, Type.Number({ minimum: 0, maximum: mostAmount }), {
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 16,
  description:
    'what it costs by unit, such as `{"usd": 0.02}`: of an action the estimate, of a RESULT what it came to',
});
export type Cost = Static<typeof Cost>;
