import { type Static, Type } from '@sinclair/typebox';
import { Nullable, Timestamp } from '../../schemas/values.ts';

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Number({ minimum: 0 });
const Latency = Nullable(
  Type.Object(
    { meanMs: Milliseconds, maxMs: Milliseconds },
    {
      description:
        'from the beginning of an evaluation to its decision, without the write to disk that follows; null when it was not measured: older versions did not',
    },
  ),
);
const Counts = {
  evaluations: Count,
  allowed: Count,
  warned: Count,
  held: Count,
  blocked: Count,
  latency: Latency,
};

export const StatsSeries = Type.Object({
  name: Type.String({ description: 'an integration, a policy, `policy/rule`, a tool, a tag or an entity' }),
  ...Counts,
  points: Type.Array(Type.Object({ at: Timestamp, ...Counts }), {
    description: 'per hour or day, in UTC; periods without evaluations are left out',
  }),
});
export type StatsSeries = Static<typeof StatsSeries>;
