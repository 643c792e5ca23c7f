import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import type { ErrorDetail } from '../../errors.ts';
import { Uuid } from '../../schemas/values.ts';
import { pointerToken } from '../json-checks.ts';

/** Bodies are taken as they are: nothing is coerced, dropped or filled in. Query texts are the only form they have. */
export function validateStrictly(app: FastifyInstance): void {
  const options = { allErrors: true, allowUnionTypes: true, removeAdditional: false } as const;
  const strict = new Ajv({ ...options, coerceTypes: false, useDefaults: false });
  const query = new Ajv({ ...options, coerceTypes: true, useDefaults: true });
  // Its CommonJS default export is not typed for ES modules.
  const formats = addFormats as unknown as (ajv: Ajv) => void;
  formats(strict);
  formats(query);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? query : strict).compile(schema as object),
  );
}

/** One entry of `errors` for each mistake, in words of the request. More than these help nobody. */
const mostDetails = 20;

export const explainMistakes = (errors: readonly ErrorObject[]): ErrorDetail[] =>
  errors.slice(0, mostDetails).map(explain);

function explain({
  keyword,
  instancePath: path,
  params,
  message = 'is not valid',
}: ErrorObject): ErrorDetail {
  switch (keyword) {
    case 'required':
      return { message: 'is required', path: `${path}/${pointerToken(params.missingProperty)}` };
    case 'additionalProperties':
      return {
        message: 'is not a field of this request',
        path: `${path}/${pointerToken(params.additionalProperty)}`,
      };
    case 'type':
      return { message: `must be ${[params.type].flat().join(' or ')}`, path };
    case 'enum':
      return { message: `must be one of ${params.allowedValues.join(', ')}`, path };
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

function patternMessage(pattern: string): string {
  if (pattern === Uuid.pattern) return 'must be a UUID';
  if (pattern.includes('u0000')) return 'must not contain NUL characters';
  return `must match ${pattern}`;
}
