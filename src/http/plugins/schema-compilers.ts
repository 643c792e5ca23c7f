import { type TSchema, Type } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import fastJsonStringify, { type Options, type Schema } from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { didYouMean } from '../../cel/suggest.ts';
import type { ErrorDetail } from '../../errors.ts';
import { pointerToken } from '../../json/read-exactly.ts';
import { ErrorResponse } from '../../schemas/envelopes.ts';
import {
  CostUnit,
  EmailAddress,
  isMoment,
  namePattern,
  OptionalBody,
  Uuid,
  UuidOrLocal,
} from '../../schemas/values.ts';

/** Compiles once for equal schemas and keeps the result: the only schemas are those of the routes. */
function perSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  const compiled = new Map<string, T>();
  const seen = new WeakMap<TSchema, T>();
  return (schema) => {
    let made = seen.get(schema);
    if (made !== undefined) return made;
    const text = JSON.stringify(schema);
    made = compiled.get(text);
    if (made === undefined) {
      made = compile(schema);
      compiled.set(text, made);
    }
    seen.set(schema, made);
    return made;
  };
}

/** Made with the first validator: it compiles schemas of its own. */
let ajv: Ajv | undefined;

function createAjv(): Ajv {
  const created = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes: false,
    removeAdditional: false,
    // Errors have their schema.
    verbose: true,
  });
  return created.addFormat('date-time', isMoment);
}

const validatorOf = perSchema(compileWhenUsed);

/** Most routes are never called in the life of a process; to compile all takes half of its start. */
function compileWhenUsed(schema: TSchema): Validate {
  let compiled: ValidateFunction | undefined;
  const validate: Validate = (data) => {
    ajv ??= createAjv();
    compiled ??= ajv.compile(schema);
    if (compiled(data)) return true;
    validate.errors = compiled.errors ?? [];
    return false;
  };
  return validate;
}

interface Validate {
  (data: unknown): boolean;
  /** The errors of the last call that was false. */
  errors?: ErrorObject[];
}

/** Validates input as it was sent: nothing is coerced, dropped or filled in. */
export function validateStrictly(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validate = validatorOf(schema);
    if (httpPart !== 'querystring') return validate;
    return (query: Record<string, unknown>) => {
      const value = readQuery(query, schema.properties ?? {});
      return validate(value) ? { value } : { error: validate.errors as unknown as Error };
    };
  });
}

/** Query values are strings. A number or boolean is read only in its one plain spelling. */
function readQuery(query: Record<string, unknown>, properties: Record<string, TSchema>): object {
  const read = Object.entries(query).map(([name, text]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === 'integer' && /^(0|[1-9][0-9]{0,14})$/.test(String(text))) return [name, Number(text)];
    if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true'];
    return [name, text];
  });
  return Object.fromEntries(read);
}

/** Undeclared query parameters and bodies are rejected, not ignored. */
const noQuery = Type.Object({}, { additionalProperties: false });
export const noBody = OptionalBody(Type.Object({}, { additionalProperties: false }));

/** Routes registered in this scope afterwards reject the query parameters and bodies that they do not declare. */
export function refuseUndescribed(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const bodiless = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD');
    route.schema = {
      querystring: noQuery,
      ...(!bodiless && { body: noBody }),
      ...route.schema,
    };
  });
}

/** Most entries of `errors` in one response. */
const mostDetails = 20;

export function explainMistakes(errors: readonly ErrorObject[]): ErrorDetail[] {
  // A value of the wrong type is not in the enum either: that is one mistake.
  const mistyped = new Set(errors.filter((one) => one.keyword === 'type').map((one) => one.instancePath));
  return errors
    .filter((one) => one.keyword !== 'enum' || !mistyped.has(one.instancePath))
    .slice(0, mostDetails)
    .map(explain);
}

function explain({
  keyword,
  instancePath: path,
  params,
  parentSchema = {},
  message = 'is not valid',
}: ErrorObject): ErrorDetail {
  switch (keyword) {
    case 'required':
      return { message: 'is required', path: `${path}/${pointerToken(params.missingProperty)}` };
    case 'additionalProperties':
      return {
        message: Object.hasOwn(parentSchema.patternProperties ?? {}, CostUnit.pattern as string)
          ? 'a unit is a letter, then at most 31 letters, digits and underscores'
          : unknownField(params.additionalProperty, parentSchema.properties),
        path: `${path}/${pointerToken(params.additionalProperty)}`,
      };
    case 'type':
      if (path === '' && params.type === 'object')
        return { message: 'must be object: send a JSON object as the body', path };
      return { message: `must be ${[params.type].flat().join(' or ')}`, path };
    case 'enum':
      return { message: `must be one of ${params.allowedValues.map(String).join(', ')}`, path };
    case 'pattern':
      return { message: patternMessage(params.pattern), path };
    case 'format':
      return {
        message: 'must be an ISO 8601 date and time with a zone, like 2030-01-31T12:00:00Z',
        path,
      };
    case 'minProperties':
      return { message: 'must name at least one field', path };
    default:
      return { message: message.replace(/^must NOT/, 'must not'), path };
  }
}

/** The advice for an unknown name: the field that it nearly is. */
function unknownField(name: string, fields: object = {}): string {
  const hint = didYouMean(name, Object.keys(fields));
  return `is not a field of this request${hint === undefined ? '' : `; ${hint}`}`;
}

function patternMessage(pattern: string): string {
  if (pattern === Uuid.pattern) return 'must be a UUID';
  if (pattern === UuidOrLocal.pattern) return 'must be a UUID, or `local`';
  if (pattern === EmailAddress.pattern) return 'must be an e-mail address';
  if (pattern === namePattern) return 'must not contain line breaks or other control characters';
  if (pattern.includes('u0000')) return 'must not contain NUL characters';
  return `must match ${pattern}`;
}

const named = { schema: { ErrorResponse } } as unknown as Options;
/** Serializers are compiled by their first use, as validators are. */
const serializerOf = perSchema((schema) => {
  let serialize: ((data: unknown) => string) | undefined;
  return (data: unknown): string => {
    serialize ??= fastJsonStringify(schema as unknown as Schema, named);
    return serialize(data);
  };
});

/** Responses are serialized by their schema. All routes share the error schema, so its serializer is compiled once. */
export function serializeBySchema(app: FastifyInstance): void {
  app.setSerializerCompiler<TSchema>(({ schema }) => serializerOf(schema));
}
