import { type Static, Type } from '@sinclair/typebox';
import { toolNameLimit } from './evaluations.ts';
import { JsonObject, KeptText, Nullable, Timestamp, Uuid } from './values.ts';

/** What a call of a tool does, mildest first. */
export const toolEffects = ['READ', 'WRITE', 'EXTERNAL', 'DESTRUCTIVE'] as const;
export const ToolEffect = Type.Unsafe<(typeof toolEffects)[number]>({
  type: 'string',
  enum: [...toolEffects],
  description:
    'READ changes nothing; WRITE changes what can be changed back; EXTERNAL sends content or value to somebody; DESTRUCTIVE cannot be undone',
});
export type ToolEffect = Static<typeof ToolEffect>;

export const mostCatalogueTools = 500;

const ToolName = KeptText(toolNameLimit, { minLength: 1 });
const ArgumentPaths = (description: string) =>
  Type.Array(
    Type.String({
      pattern: '^[^.\\s\\u0000]{1,128}(\\.[^.\\s\\u0000]{1,128}){0,7}$',
      maxLength: 512,
      description: 'names joined by dots; in a list, the rest applies to each entry',
    }),
    { maxItems: 50, uniqueItems: true, description },
  );

/** One tool of an integration. */
export const CatalogueTool = Type.Object(
  {
    name: Type.Unsafe<string>({ ...ToolName, description: 'the name that rules see' }),
    aliases: Type.Optional(
      Type.Array(ToolName, {
        maxItems: 20,
        uniqueItems: true,
        description: 'other names of the same tool: rules, counts and records show `name`',
      }),
    ),
    description: Type.Optional(KeptText(2_000)),
    effect: ToolEffect,
    destinations: Type.Optional(
      ArgumentPaths('arguments that say where content or value goes, such as `to` or `message.recipients`'),
    ),
    identifiers: Type.Optional(
      ArgumentPaths('arguments that identify something, such as `customerId` or `file.path`'),
    ),
    untrustedResults: Type.Optional(
      Type.Boolean({ description: 'whether others can write into its results; default: false' }),
    ),
    inputSchema: Type.Optional(
      Type.Unsafe<JsonObject>({
        ...JsonObject,
        description:
          'JSON Schema of its arguments; a call that does not match gets the setting `onSchemaMismatch`',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CatalogueTool = Static<typeof CatalogueTool>;

export const PutToolCatalogue = Type.Object(
  { tools: Type.Array(CatalogueTool, { maxItems: mostCatalogueTools }) },
  { additionalProperties: false },
);
export type PutToolCatalogue = Static<typeof PutToolCatalogue>;

/** A tool in the response of an MCP server to `tools/list`; fields that are not named here are ignored. */
const ListedTool = Type.Object({
  name: ToolName,
  description: Type.Optional(Type.String()),
  inputSchema: Type.Optional(JsonObject),
  annotations: Type.Optional(
    Type.Object({
      readOnlyHint: Type.Optional(Type.Boolean()),
      destructiveHint: Type.Optional(Type.Boolean()),
      openWorldHint: Type.Optional(Type.Boolean()),
    }),
  ),
});

export const ImportTools = Type.Object(
  {
    tools: Type.Array(ListedTool, { maxItems: mostCatalogueTools }),
    nextCursor: Type.Optional(Type.String({ description: 'ignored: send the other pages separately' })),
    _meta: Type.Optional(Type.Unsafe<JsonObject>({ ...JsonObject, description: 'ignored' })),
  },
  { additionalProperties: false },
);
export type ImportTools = Static<typeof ImportTools>;

export const ToolCatalogue = Type.Object({
  integrationId: Uuid,
  tools: Type.Array(CatalogueTool),
  updatedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'null before the first change' })),
});
export type ToolCatalogue = Static<typeof ToolCatalogue>;
