import { type Static, Type } from '@sinclair/typebox';
import { Nullable, Timestamp, Uuid } from './values.ts';

export const OperatorKey = Type.Object({
  id: Uuid,
  current: Type.Boolean({ description: 'whether it is the one this request was made with' }),
  createdAt: Timestamp,
  revokedAt: Nullable(Timestamp),
});
export type OperatorKey = Static<typeof OperatorKey>;

export const CreatedOperatorKey = Type.Object({
  ...OperatorKey.properties,
  key: Type.String({ description: 'shown only in this response: `asz_admin_` and 43 base64url characters' }),
});
export type CreatedOperatorKey = Static<typeof CreatedOperatorKey>;
