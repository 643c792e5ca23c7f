import { type Static, Type } from '@sinclair/typebox';
import { type CounterScope, counterScopes } from './counter-cells.ts';

const counterCounts = ['ALLOWED', 'HELD', 'REJECTED', 'BLOCKED', 'ATTEMPTED'] as const;

const expression = { type: 'string', minLength: 1, maxLength: 4_096 } as const;
const Expression = (description: string) => Type.String({ ...expression, description });

/** A policy's memory across actions: which are selected, by what they are counted, and for how long. */
export const PolicyCounter = Type.Object(
  {
    over: Type.Unsafe<CounterScope>({
      type: 'string',
      enum: [...counterScopes],
      description:
        'whose actions are counted together; all actions of an integration without an entity count as one entity',
    }),
    where: Type.Optional(
      Expression('CEL, true for the actions that count; it can read decision; default: all'),
    ),
    counts: Type.Optional(
      Type.Unsafe<(typeof counterCounts)[number]>({
        type: 'string',
        enum: [...counterCounts],
        description:
          'which actions count, by their decision; REJECTED: held, and then rejected by a person; default: ALLOWED, which includes WARN',
      }),
    ),
    on: Type.Optional(
      Type.Unsafe<'ACTION' | 'RESULT'>({
        type: 'string',
        enum: ['ACTION', 'RESULT'],
        description: 'the phase that counts; default: ACTION',
      }),
    ),
    add: Type.Optional(Expression('CEL, the number to add, from 0 to 1e15; default: 1')),
    settle: Type.Optional(
      Expression('CEL, run at the RESULT: the number from 0 to 1e15 that replaces what the action added'),
    ),
    distinct: Type.Optional(Expression('CEL, a value whose distinct values are counted; needs cap')),
    cap: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'with more values, reading the counter fails',
      }),
    ),
    per: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        maxLength: 4_096,
        items: expression,
        minItems: 1,
        maxItems: 2,
        description:
          '`hour`, `day`, `week` or `month`, after which the counter restarts; or a CEL value that splits it; or a list of both',
      }),
    ),
    within: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}[smhd]$',
        maxLength: 10,
        description: 'a sliding window of at most 400d, such as 30m or 24h',
      }),
    ),
    zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'the time zone of the calendar; default: UTC',
      }),
    ),
    reset: Type.Optional(Expression('CEL, true for the actions that set it to 0, if they are let through')),
  },
  { additionalProperties: false },
);
export type PolicyCounter = Static<typeof PolicyCounter>;
