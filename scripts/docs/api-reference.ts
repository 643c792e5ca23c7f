// The reference part of docs/api.md, from the description of the API: a section for each operation.

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}
interface Operation {
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  security?: Record<string, unknown>[];
}
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const callers: Readonly<Record<string, string>> = {
  integrationKey: 'a key of an integration',
  operatorKey: 'a key of an operator',
};

/** A row of a table of fields. */
type Row = readonly [name: string, type: string, about: string];

/** Markdown, ending with a line break. */
export function apiPage({ paths, components }: ApiDescription): string {
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) as string] as Schema) : schema;

  function typeText(given: Schema): string {
    const schema = resolve(given);
    if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
    if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
    if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
    return [schema.type ?? 'any value'].flat().join(' or ');
  }

  const about = ({ description = '', default: value, minimum, maximum, maxLength }: Schema): string =>
    [
      description,
      minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
      maxLength === undefined ? '' : `at most ${maxLength} characters`,
      value === undefined ? '' : `default \`${value}\``,
    ]
      .filter((part) => part !== '')
      .join('; ');

  /** Nested fields follow their parent, as `a.b`, or `a[].b` for the items of a list. */
  function fields(given: Schema, prefix = ''): Row[] {
    const schema = resolve(given);
    if (schema.type === 'array') return fields(schema.items ?? {}, `${prefix.replace(/\.$/, '')}[].`);
    const branches = (schema.anyOf ?? []).flatMap((branch) => fields(branch, prefix));
    const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): Row[] => {
      const required = schema.required?.includes(name) ? '' : ', optional';
      const row: Row = [`${prefix}${name}`, `${typeText(field)}${required}`, about(resolve(field))];
      return [row, ...fields(field, `${prefix}${name}.`)];
    });
    return [...own, ...branches];
  }

  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const table = (title: string, rows: readonly Row[]): string[] =>
    rows.length === 0
      ? []
      : [
          '',
          `| ${title} | Type | |`,
          '|---|---|---|',
          ...rows.map(([name, type, text]) => `| \`${name}\` | ${cell(type)} | ${cell(text)} |`),
        ];

  function section(path: string, method: string, operation: Operation): string[] {
    const { summary, description, parameters = [], requestBody, responses, security = [] } = operation;
    const who = security.flatMap(Object.keys).map((scheme) => callers[scheme] ?? scheme);
    const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
    const body = Object.entries(requestBody?.content ?? {});
    const envelope = response?.content?.['application/json']?.schema;
    const data = envelope && resolve(envelope).properties?.data;
    return [
      '',
      `### ${method.toUpperCase()} ${path}`,
      '',
      `${summary}. Needs ${who.length === 0 ? 'no key' : who.join(' or ')}; responds with ${status}.${description ? ` ${description}` : ''}`,
      ...table(
        'Parameter',
        parameters.map((parameter): Row => {
          const optional = parameter.required ? '' : ', optional';
          const text = about({ ...parameter.schema, description: parameter.description ?? '' });
          return [parameter.name, `${typeText(parameter.schema)}, ${parameter.in}${optional}`, text];
        }),
      ),
      ...(body.length === 0 ? [] : ['', `Body: ${body.map(([type]) => `\`${type}\``).join(' or ')}.`]),
      ...table('Field of the body', fields(body[0]?.[1].schema ?? {})),
      ...table(
        data?.type === 'array' ? 'Field of each item of `data`' : 'Field of `data`',
        data ? fields(data.items ?? data) : [],
      ),
    ];
  }

  return `${Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => section(path, method, operation)),
    )
    .join('\n')}\n`;
}

/** Everything after this line of docs/api.md is generated. */
export const marker = '<!-- Generated by npm run openapi: what follows comes from the routes. -->';

export const withReference = (page: string, description: ApiDescription): string =>
  `${page.slice(0, page.indexOf(marker) + marker.length)}\n${apiPage(description)}`;
