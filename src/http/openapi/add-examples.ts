import { examples } from './examples.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Media {
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  operationId?: string;
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/**
 * Gives every body in the description an example. `examples` has one for each named object, and for each operation
 * whose body has no schema; envelopes and lists are built around them.
 */
export function addExamples(paths: object, schemas: Record<string, object>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const example = examples[name];
    if (example !== undefined) Object.assign(schema, { examples: [example] });
  }
  const exampleOf = (schema: Schema): unknown => {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? '';
      return examples[name] ?? exampleOf(schemas[name] ?? {});
    }
    if (schema.enum) return schema.enum[0];
    if (schema.items) return [exampleOf(schema.items)];
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
  };
  const addTo = (content: Record<string, Media>, body: string): void => {
    for (const [type, media] of Object.entries(content))
      media.example = examples[`${body} ${type}`] ?? exampleOf(media.schema ?? {});
  };
  for (const operations of Object.values(paths) as Record<string, Operation>[]) {
    for (const { operationId = '', requestBody, responses = {} } of Object.values(operations)) {
      addTo(requestBody?.content ?? {}, operationId);
      for (const { content = {} } of Object.values(responses)) addTo(content, `${operationId} response`);
    }
  }
}
