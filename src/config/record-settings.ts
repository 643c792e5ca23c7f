import { Type } from '@sinclair/typebox';

/** Settings of sessions, what is kept of them, and who decides. */
export const recordSettings = {
  ASSIZE_SESSION_MAX_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'the longest lifetime of an evaluation session, in days',
  }),
  ASSIZE_SESSION_MAX_TOOLS: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 10_000,
    description:
      'tool names that a session counts separately; further names count together as `(other)`, except names that an active policy mentions',
  }),
  ASSIZE_IDEMPOTENCY_MINUTES: Type.Integer({
    default: 15,
    minimum: 0,
    maximum: 1_440,
    description:
      'minutes for which an `Idempotency-Key` is remembered; 0 turns keys off, and a request that sends one gets 400',
  }),
  ASSIZE_RETENTION_DAYS: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'days after which the content of evaluations (`input`, `targetMetadata`) is deleted; decisions and reasons stay; 0 keeps it',
  }),
  ASSIZE_RECORD_KEY_FILE: Type.String({
    default: '',
    description:
      'the Ed25519 key that signs the record (PEM, PKCS #8), made when it is missing; by default `-record-key.pem` behind the name of the database',
  }),
  ASSIZE_FOUR_EYES: Type.String({
    default: '',
    description:
      'what takes two operators, separated by commas: `policies` (the author of a version cannot activate it), `reviews` (who may have requested an action cannot approve it)',
  }),
};
