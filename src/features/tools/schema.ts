import { type Static, Type } from '@sinclair/typebox';
import { toolNameLimit } from '../../schemas/evaluations.ts';
import { JsonObject, KeptText, Nullable, Timestamp, Uuid } from '../../schemas/values.ts';
import {
  type OnChange as OnChanges,
  onChangeModes,
  type ProposedField,
  proposedFields,
  type ToolEffect as ToolEffects,
  type ToolField,
  type ToolWarningKind,
  toolChanges,
  toolEffects,
  toolFields,
  toolWarningKinds,
} from './words.ts';

export const ToolEffect = Type.Unsafe<ToolEffects>({
  type: 'string',
  enum: [...toolEffects],
  description:
    'READ changes nothing; WRITE changes what can be changed back; EXTERNAL sends content or value to somebody; DESTRUCTIVE cannot be undone',
});
export type ToolEffect = ToolEffects;

export const mostCatalogueTools = 500;

const ToolName = KeptText(toolNameLimit, { minLength: 1 });
export const toolDescriptionLimit = 2_000;
const ArgumentPaths = (description: string) =>
  Type.Array(
    Type.String({
      pattern: '^[^.\\s\\u0000]{1,128}(\\.[^.\\s\\u0000]{1,128}){0,7}$',
      maxLength: 512,
      description: 'names joined by dots; in a list, the rest applies to each entry',
    }),
    { maxItems: 50, uniqueItems: true, description },
  );

/** Why something was proposed for a tool. */
const ProposedReason = Type.Object(
  {
    field: Type.Unsafe<ProposedField>({ type: 'string', enum: [...proposedFields] }),
    reason: KeptText(300),
  },
  { additionalProperties: false },
);
export type ProposedReason = Static<typeof ProposedReason>;

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
    description: Type.Optional(KeptText(toolDescriptionLimit)),
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
    untrustedFields: Type.Optional({
      ...ArgumentPaths(
        'fields of its results that others write, such as `from` or `messages.body`: the fields below them, too. With `untrustedResults: true` alone; absent: any field',
      ),
      minItems: 1,
    }),
    content: Type.Optional(
      ArgumentPaths('arguments that hold text for somebody to read, such as `body` or `subject`'),
    ),
    directory: Type.Optional(
      Type.Boolean({
        description:
          'whether its results list people or accounts that may be used, such as contacts; default: false',
      }),
    ),
    proposed: Type.Optional(
      Type.Array(ProposedReason, {
        maxItems: 50,
        description:
          'why the entry says what it says; present while it is what an import proposed, and no operator has confirmed it by saving it without this field',
      }),
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

export const OnChange = Type.Unsafe<OnChanges>({
  type: 'string',
  enum: [...onChangeModes],
  description:
    'a tool whose definition its server changes, as an import or the MCP proxy sees it, or that it adds later: with HOLD its calls need an approval, and are decided by what was accepted before, until an operator accepts the definition; with BLOCK they are blocked; with ACCEPT it applies at once',
});
export type OnChange = OnChanges;

export const PutToolCatalogue = Type.Object(
  {
    tools: Type.Array(CatalogueTool, { maxItems: mostCatalogueTools }),
    onChange: Type.Optional({ ...OnChange, description: 'stays as it is when absent; HOLD at first' }),
  },
  { additionalProperties: false },
);
export type PutToolCatalogue = Static<typeof PutToolCatalogue>;

/** Two low lines divide the name of a tool. */
const McpServerName = Type.String({ pattern: '^[A-Za-z0-9](_?[A-Za-z0-9.-])*$', maxLength: 64 });

export const ImportTools = Type.Object(
  {
    server: Type.Optional(
      Type.Unsafe<string>({
        ...McpServerName,
        description:
          'the name of the MCP server in rules: the tools are named `mcp__SERVER__TOOL`, as the MCP proxy and hooks name them, so that those of two servers stay apart',
      }),
    ),
    openapi: Type.Optional(
      Type.Unsafe<JsonObject>({
        ...JsonObject,
        description: 'an OpenAPI 3 document, whose operations are tools; instead of `tools`',
      }),
    ),
    tools: Type.Optional(
      Type.Array(
        // Checked one by one: an invalid tool does not keep the others out.
        Type.Unsafe<{
          name: string;
          title?: string;
          description?: string;
          inputSchema?: JsonObject;
          outputSchema?: JsonObject;
          annotations?: {
            title?: string;
            readOnlyHint?: boolean;
            destructiveHint?: boolean;
            openWorldHint?: boolean;
          };
        }>({
          description:
            'an object with `name`, `title`, `description`, `inputSchema`, `outputSchema` and `annotations`, as MCP servers list tools, or a tool as the APIs of OpenAI and Anthropic and the AI SDK take it; other fields are ignored',
        }),
        { maxItems: mostCatalogueTools },
      ),
    ),
    nextCursor: Type.Optional(Type.String({ description: 'ignored: send the other pages separately' })),
    _meta: Type.Optional(Type.Unsafe<JsonObject>({ ...JsonObject, description: 'ignored' })),
  },
  { additionalProperties: false },
);
export type ImportTools = Static<typeof ImportTools>;

/** A tool in the response of an MCP server to `tools/list`; fields that are not named here are ignored. */
export type ListedTool = NonNullable<ImportTools['tools']>[number];

/** Any JSON: without a `type`, because OpenAPI 3.0 knows no list of types. */
const anything = Type.Unsafe<unknown>({ description: 'any JSON; null when it is not there' });
const fields = Type.Array(
  Type.Object({
    field: Type.Unsafe<ToolField>({ type: 'string', enum: [...toolFields] }),
    before: anything,
    after: anything,
  }),
);

/** Most warnings about one tool. */
export const mostWarnings = 10;
const warningParts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export const ToolWarning = Type.Object({
  kind: Type.Unsafe<ToolWarningKind>({
    type: 'string',
    enum: [...toolWarningKinds],
    description:
      'INVISIBLE: characters that nobody sees; MARKUP: tags and comments that a model takes for its instructions; CONCEALMENT: not to tell the user; OVERRIDE: to ignore other instructions; PRECONDITION: to do something else before a call; SECRETS: to read or send keys, secret files or the conversation; OTHER_TOOL: how to use a tool of another server',
  }),
  part: Type.Unsafe<(typeof warningParts)[number]>({ type: 'string', enum: [...warningParts] }),
  excerpt: Type.String({ description: 'invisible characters as \\u{…}' }),
});
export type ToolWarning = Static<typeof ToolWarning>;

/** A change or a new tool of an MCP server that no operator has accepted yet. */
export const WaitingToolChange = Type.Object({
  name: Type.String(),
  change: Type.Unsafe<'ADDED' | 'CHANGED'>({ type: 'string', enum: ['ADDED', 'CHANGED'] }),
  digest: Type.String({
    description: 'names this change: `accept` takes it, so that nothing else is accepted',
  }),
  listedAt: Timestamp,
  fields,
});
export type WaitingToolChange = Static<typeof WaitingToolChange>;

export const ToolCatalogue = Type.Object({
  integrationId: Uuid,
  onChange: OnChange,
  tools: Type.Array(CatalogueTool),
  waiting: Type.Array(WaitingToolChange, {
    description:
      'definitions that were changed or added, and wait for an operator to accept them; `tools` has what decides until then',
  }),
  seen: Type.Array(CatalogueTool, {
    description:
      'tools that the MCP proxy saw and that are not in the catalogue, with what would be proposed for them: only their definitions are compared with what their servers list later',
  }),
  warnings: Type.Array(Type.Object({ name: Type.String(), ...ToolWarning.properties }), {
    description:
      'orders to the model in what servers list, also in what waits; by common forms, so that none does not mean that there is none',
  }),
  updatedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'null before the first change' })),
});
export type ToolCatalogue = Static<typeof ToolCatalogue>;

const UndescribedTool = Type.Object({
  name: Type.String(),
  calls: Type.Integer({ minimum: 1, description: 'evaluations of its calls, whatever became of them' }),
  inputSchema: Type.Optional(
    Type.Unsafe<JsonObject>({
      ...JsonObject,
      description:
        'names and kinds of the arguments of a late call, where content is kept; matches any others, too',
    }),
  ),
});
export type UndescribedTool = Static<typeof UndescribedTool>;

export const ReadToolCatalogue = Type.Object({
  ...ToolCatalogue.properties,
  undescribed: Type.Array(UndescribedTool, {
    description:
      'tools that were called in the last 30 days and are not in the catalogue, most called first, at most 50: an import takes this list as `tools`',
  }),
});
export type ReadToolCatalogue = Static<typeof ReadToolCatalogue>;

export const ToolChange = Type.Object({
  name: Type.String(),
  change: Type.Unsafe<(typeof toolChanges)[number]>({
    type: 'string',
    enum: [...toolChanges],
    description:
      'WITHDRAWN: a change that waited is gone, the server lists what was accepted; NOT_LISTED: an imported tool that is not in this list, which stays in the catalogue',
  }),
  held: Type.Boolean({ description: 'whether calls of the tool are held until the change is accepted' }),
  fields,
  warnings: Type.Optional(
    Type.Array(ToolWarning, {
      description: 'orders to the model in a new definition; absent where there is none',
    }),
  ),
});
export type ToolChange = Static<typeof ToolChange>;

/** A listed tool that cannot be imported. */
const RefusedTool = Type.Object({
  index: Type.Integer({ description: 'in the list, from 0 on' }),
  name: Nullable(Type.String({ description: 'null when it has none' })),
  reason: Type.String(),
});

export const ImportedTools = Type.Object({
  ...ToolCatalogue.properties,
  changes: Type.Array(ToolChange, { description: 'the difference that the import makes' }),
  refused: Type.Array(RefusedTool, { description: 'listed tools that cannot be imported; the others were' }),
});
export type ImportedTools = Static<typeof ImportedTools>;

export const AcceptTools = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          name: Type.Unsafe<string>({ ...ToolName, description: 'of a tool in `waiting`' }),
          digest: Type.String({ maxLength: 64, description: 'of its change, as it was read' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: mostCatalogueTools },
    ),
  },
  { additionalProperties: false },
);
export type AcceptTools = Static<typeof AcceptTools>;

const askedSession = {
  sessionId: Type.Optional(Uuid),
  externalSessionId: Type.Optional(
    KeptText(255, { minLength: 1, description: 'instead of `sessionId`; opens none' }),
  ),
};

export const AllowedToolsRequest = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          name: Type.Unsafe<string>({ ...ToolName, description: 'the name that rules see' }),
          mcp: Type.Optional(
            Type.Object(
              { server: Type.String({ maxLength: 64 }), tool: Type.String({ maxLength: toolNameLimit }) },
              {
                additionalProperties: false,
                description: 'of a tool of an MCP server, whose `name` is `mcp__SERVER__TOOL`',
              },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 200 },
    ),
    ...askedSession,
  },
  { additionalProperties: false },
);
export type AllowedToolsRequest = Static<typeof AllowedToolsRequest>;

export const AllowedTools = Type.Object({
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      allowed: Type.Boolean({
        description: 'false: every call of it is blocked now, whatever its arguments are',
      }),
      reason: Nullable(Type.String({ description: 'the messages of the rules that block it' })),
    }),
    { description: 'in the order of the request' },
  ),
});
export type AllowedTools = Static<typeof AllowedTools>;

export const SeenToolsRequest = Type.Object(
  {
    server: Type.Unsafe<string>({ ...McpServerName, description: 'its name in rules: `mcp.server`' }),
    tools: Type.Array(Type.Unknown({ description: 'a tool as the server lists it' }), {
      minItems: 1,
      maxItems: 200,
    }),
    ...askedSession,
  },
  { additionalProperties: false },
);
export type SeenToolsRequest = Static<typeof SeenToolsRequest>;

export const SeenTools = Type.Object({
  tools: Type.Array(
    Type.Object({
      name: Type.String({ description: '`mcp__SERVER__TOOL`; empty when it has none' }),
      allowed: Type.Boolean({
        description: 'false: every call of it is blocked now, or its name or definition cannot be judged',
      }),
      held: Type.Boolean({
        description:
          'whether its definition is another one than the first that was seen, or than an operator accepted: a model should not read it',
      }),
      reason: Nullable(Type.String({ description: 'why it is not allowed, or held' })),
      warnings: Type.Array(ToolWarning, { description: 'orders to the model in its definition' }),
    }),
    { description: 'in the order of the request' },
  ),
});
export type SeenTools = Static<typeof SeenTools>;
