import { Type } from '@sinclair/typebox';

/** The names of policies and rules: lower-case words joined by `-`. */
export const policyName = '^[a-z0-9][a-z0-9-]*$';
/** What conditions can name: params, variables, counters. */
export const policyIdentifier = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';
export const JsonObject = Type.Record(Type.String(), Type.Unknown());
