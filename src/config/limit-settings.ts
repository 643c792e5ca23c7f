import { Type } from '@sinclair/typebox';

/** Settings of what callers may take at once. */
export const limitSettings = {
  ASSIZE_RATE_LIMIT_INTEGRATION: Type.Integer({
    default: 60_000,
    minimum: 0,
    description: 'requests per minute and integration; 0 means no limit',
  }),
  ASSIZE_RATE_LIMIT_ADDRESS: Type.Integer({
    default: 300,
    minimum: 0,
    description:
      'requests per minute and address that fail authentication or match no route; 0 means no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT: Type.Integer({
    default: 256,
    minimum: 0,
    description:
      'requests of one integration that may be in flight at once; more get 503. Several integrations share twice as many fairly. Lowered under lasting overload, never below 64; 0 means no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT_MB: Type.Integer({
    default: 16,
    minimum: 0,
    description:
      'megabytes of request bodies of one integration that may be in flight at once; more get 503. Several integrations share twice as many fairly; 0 means no limit',
  }),
  ASSIZE_MAX_WAITING: Type.Integer({
    default: 1_000,
    minimum: 0,
    description:
      'long polls and MCP streams of one integration that may be open at once; more get 429. Several integrations share twice as many fairly; 0 means no limit',
  }),
};
