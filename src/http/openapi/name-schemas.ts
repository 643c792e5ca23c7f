import { Kind, type TSchema } from '@sinclair/typebox';
import * as audit from '../../features/audit/schema.ts';
import * as entities from '../../features/entities/schema.ts';
import * as events from '../../features/events/schema.ts';
import * as integrations from '../../features/integrations/schema.ts';
import * as lists from '../../features/lists/schema.ts';
import * as mcpServers from '../../features/mcp-servers/schema.ts';
import * as operators from '../../features/operators/schema.ts';
import * as policies from '../../features/policies/schema.ts';
import * as proposals from '../../features/proposals/schema.ts';
import * as reviews from '../../features/reviews/schema.ts';
import * as sessions from '../../features/sessions/schema.ts';
import * as stats from '../../features/stats/schema.ts';
import * as tools from '../../features/tools/schema.ts';
import * as violations from '../../features/violations/schema.ts';
import * as webhooks from '../../features/webhooks/schema.ts';
import * as decisions from '../../schemas/decisions.ts';
import * as envelopes from '../../schemas/envelopes.ts';
import * as evaluations from '../../schemas/evaluations.ts';
import * as explanations from '../../schemas/explanations.ts';
import * as record from '../../schemas/record.ts';
import { SimulationRequest } from '../../schemas/replays.ts';
import * as health from '../routes/health.ts';

type Json = unknown;

/**
 * Returns the same number for schemas that say the same: keys in any order, one value as `const` or `enum`, TypeBox's form of
 * records. A part is numbered once, by the numbers of its own parts.
 */
function createNumbering(): (value: Json) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  function numberOf(value: Json): number {
    const isPart = typeof value === 'object' && value !== null;
    const before = isPart ? known.get(value) : undefined;
    if (before !== undefined) return before;
    const text = isPart ? partsOf(value) : JSON.stringify(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    if (isPart) known.set(value, number);
    return number;
  }
  function partsOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map(numberOf)}]`;
    const { $id: _, const: only, patternProperties: anyKey, ...rest } = value as Record<string, Json>;
    const parts = {
      ...rest,
      ...(only !== undefined && { enum: [only] }),
      // A record of TypeBox: its one pattern takes every key.
      ...(anyKey !== undefined && { additionalProperties: Object.values(anyKey as object)[0] as Json }),
    };
    const numbered = Object.entries(parts).filter(([, part]) => part !== undefined);
    return `{${numbered.map(([key, part]) => `${JSON.stringify(key)}:${numberOf(part)}`).sort()}}`;
  }
  return numberOf;
}

/**
 * Replaces every schema in an OpenAPI description that equals a named one by a reference to it, and returns the
 * components to add. Schemas are recognised by what they say, because the description has copies of them.
 */
export function nameSchemas(
  paths: object,
  named: Readonly<Record<string, TSchema>>,
): { paths: object; schemas: Record<string, object> } {
  const numberOf = createNumbering();
  const names = new Map(Object.entries(named).map(([name, schema]) => [numberOf(schema), name]));
  const schemas: Record<string, object> = {};

  function refer(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(refer);
    const name = names.get(numberOf(value));
    if (name === undefined) return referInside(value);
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = referInside(plain(value));
    }
    return { $ref: `#/components/schemas/${name}` };
  }
  const referInside = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, refer(part)]));

  return { paths: nameEnvelopes(referInside(paths), schemas), schemas };
}

/** The schema without its `$id`, which would give it a second name. */
function plain(schema: object): object {
  const { $id: _, ...rest } = schema as { $id?: string };
  return rest;
}

interface Envelope {
  properties?: {
    success?: unknown;
    statusCode?: { enum?: number[]; const?: number };
    data?: { $ref?: string; items?: { $ref?: string } };
  };
}

/** Names the envelope around each named schema: ReviewResponse, ReviewListResponse, IntegrationCreatedResponse. */
function nameEnvelopes(paths: object, schemas: Record<string, object>): object {
  return JSON.parse(JSON.stringify(paths), (_key, part: Json) => {
    const { success, statusCode, data } = (part as Envelope | null)?.properties ?? {};
    const inside = (data?.$ref ?? data?.items?.$ref)?.split('/').at(-1);
    if (success === undefined || inside === undefined) return part;
    const created = (statusCode?.const ?? statusCode?.enum?.[0]) === 201 && !inside.startsWith('Created');
    const name = `${inside}${created ? 'Created' : ''}${data?.items ? 'List' : ''}Response`;
    schemas[name] = part as object;
    return { $ref: `#/components/schemas/${name}` };
  });
}

const { Binding: PolicyBinding, ...otherPolicies } = policies;
const modules = [
  audit,
  entities,
  events,
  integrations,
  lists,
  mcpServers,
  operators,
  proposals,
  reviews,
  sessions,
  tools,
  webhooks,
  decisions,
  envelopes,
  evaluations,
  explanations,
  health,
  otherPolicies,
  record,
  stats,
  violations,
  { PolicyBinding, SimulationRequest },
];

/** Written out where they are used: their name says no more than that of the field. */
const unnamed = new Set(['EventSequence', 'GroupName', 'OnChange', 'Phase', 'ResultStatus']);

/** The components of the OpenAPI description: each schema by the name that it is exported under. */
export const namedSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => typeof value === 'object' && Kind in value && !unnamed.has(name)),
);
