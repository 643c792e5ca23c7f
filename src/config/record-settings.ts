import { Type } from '@sinclair/typebox';

/** Settings of sessions, what is kept of them, and who decides. */
export const recordSettings = {
  ASSIZE_SESSION_MAX_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'maximum lifetime of an evaluation session, in days',
  }),
  ASSIZE_SESSION_MAX_TOOLS: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 10_000,
    description:
      'number of tool names that a session counts separately; further names are counted together as `(other)`, except names that an active policy mentions',
  }),
  ASSIZE_IDEMPOTENCY_MINUTES: Type.Integer({
    default: 15,
    minimum: 0,
    maximum: 1_440,
    description:
      'minutes for which an `Idempotency-Key` is remembered; 0 turns idempotency keys off, and requests that send one get 400',
  }),
  ASSIZE_RETENTION_DAYS: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'days after which the content of evaluations (`input`, `targetMetadata`) is deleted, while decisions and reasons stay; 0 keeps content forever',
  }),
  ASSIZE_RECORD_KEY_FILE: Type.String({
    default: '',
    description:
      'file with the Ed25519 key that signs the record (PEM, PKCS #8), created when missing; by default the path of the database followed by `-record-key.pem`. With PostgreSQL it must be given: the same key for all replicas',
  }),
  ASSIZE_FOUR_EYES: Type.String({
    default: '',
    description:
      'what requires two operators, separated by commas: `policies` (the author of a version cannot activate it, and other changes of what decides are proposed), `reviews` (an operator who may have requested an action cannot approve it)',
  }),
};
