import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './values.ts';

const Count = Type.Integer({ minimum: 0 });
const Counts = { evaluations: Count, allowed: Count, warned: Count, held: Count, blocked: Count };

export const StatsSeries = Type.Object({
  name: Type.String({ description: 'an integration, a policy, `policy/rule`, a tool, a tag or an entity' }),
  ...Counts,
  points: Type.Array(Type.Object({ at: Timestamp, ...Counts }), {
    description: 'per hour or day, in UTC; periods without evaluations are left out',
  }),
});
export type StatsSeries = Static<typeof StatsSeries>;
