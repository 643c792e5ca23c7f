import { Type } from '@sinclair/typebox';

/** Settings of what callers may take at once. */
export const limitSettings = {
  ASSIZE_RATE_LIMIT_INTEGRATION: Type.Integer({
    default: 60_000,
    minimum: 0,
    description: 'requests a minute of one integration; 0 is no limit',
  }),
  ASSIZE_RATE_LIMIT_ADDRESS: Type.Integer({
    default: 300,
    minimum: 0,
    description: 'requests a minute of one address that fail authentication or reach no route; 0 is no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT: Type.Integer({
    default: 256,
    minimum: 0,
    description:
      'requests of one integration in flight at once, beyond which it gets 503; with several, each has a fair share of twice as many; fewer under lasting overload, never below 64; 0 is no limit',
  }),
  ASSIZE_MAX_IN_FLIGHT_MB: Type.Integer({
    default: 16,
    minimum: 0,
    description:
      'megabytes of request bodies of one integration in flight at once, beyond which it gets 503; with several, each has a fair share of twice as many; 0 is no limit',
  }),
  ASSIZE_MAX_WAITING: Type.Integer({
    default: 1_000,
    minimum: 0,
    description:
      'long polls and MCP streams of one integration open at once, beyond which it gets 429; with several, each has a fair share of twice as many; 0 is no limit',
  }),
};
