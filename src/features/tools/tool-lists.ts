import type { JsonObject } from '../../schemas/values.ts';
import { methodEffects } from './proposal-words.ts';
import type { ListedTool } from './schema.ts';

/** A listed tool with what only its proposal reads. */
export interface ReadTool extends ListedTool {
  /** Method of HTTP, in lower case, of an operation of OpenAPI. */
  method?: string;
  /** Whether it was read from calls (`undescribed`): it says nothing about its server. */
  isCalled?: true;
  /** Describes arguments that calls are not compared with: nobody knows how an agent's framework nests them. */
  argumentsLike?: JsonObject;
  /** The document that references in `argumentsLike` lead into. */
  document?: JsonObject;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A tool in the form of MCP, however it was written: as MCP lists it, as Anthropic's Messages takes it (`input_schema`), as OpenAI's
 * Chat Completions (`function`) and Responses (`parameters`) take it, or as the AI SDK hands it to a model. Anything else is
 * given back as it is.
 */
export function listedForm(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const inner = tool.type === 'function' && isObject(tool.function) ? tool.function : tool;
  const { name, title, description, annotations, outputSchema } = inner;
  const given = inner.inputSchema ?? inner.input_schema ?? inner.parameters;
  const schema = isObject(given) && isObject(given.jsonSchema) ? given.jsonSchema : given;
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations !== undefined && { annotations }),
    ...(schema !== undefined && schema !== null && { inputSchema: schema }),
    ...(outputSchema !== undefined && outputSchema !== null && { outputSchema }),
    ...(Number.isInteger(inner.calls) && { isCalled: true }),
  };
}

/** Operations of one document that are read at most. */
const mostOperations = 500;

/** The operations of an OpenAPI 3 document as tools: `operationId`, or the method and the path. */
export function toolsOfOpenApi(document: JsonObject): ReadTool[] {
  const tools: ReadTool[] = [];
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    if (!isObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (!(method in methodEffects) || !isObject(operation) || tools.length > mostOperations) continue;
      tools.push(toolOfOperation(document, { path, method, shared: item.parameters, operation }));
    }
  }
  return tools;
}

interface Operation {
  path: string;
  method: string;
  shared: unknown;
  operation: JsonObject;
}

function toolOfOperation(document: JsonObject, { path, method, shared, operation }: Operation): ReadTool {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const properties: Record<string, unknown> = {};
  for (const given of [shared, parameters].flat()) {
    const parameter = resolved(document, given);
    if (isObject(parameter) && typeof parameter.name === 'string' && parameter.in !== 'header')
      properties[parameter.name] = parameter.schema;
  }
  const body = resolved(document, requestBody);
  const content = isObject(body) && isObject(body.content) ? Object.values(body.content) : [];
  const schema = content.find(isObject)?.schema;
  const sent = resolved(document, schema);
  if (isObject(sent) && isObject(sent.properties)) Object.assign(properties, sent.properties);
  const told = [summary, description].filter((text) => typeof text === 'string').join('. ');
  const named = typeof operationId === 'string' && operationId !== '';
  return {
    name: named ? operationId : `${method}_${path.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '')}`,
    ...(told !== '' && { description: told }),
    method,
    argumentsLike: { type: 'object', properties },
    document,
  };
}

const longestReference = 500;

/** The schema that a local reference leads to; a reference to another document, or in a circle, leads to nothing. */
export function resolved(document: JsonObject, value: unknown): unknown {
  let found = value;
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string'; hops++) {
    if (hops > 10 || !found.$ref.startsWith('#') || found.$ref.length > longestReference) return undefined;
    let target: unknown = document;
    for (const part of found.$ref.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    found = target;
  }
  return found;
}
