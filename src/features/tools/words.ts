/** The effects of a tool's call, mildest first. */
export const toolEffects = ['READ', 'WRITE', 'EXTERNAL', 'DESTRUCTIVE'] as const;
export type ToolEffect = (typeof toolEffects)[number];

/** Whether calls of a tool are held or blocked when its server changes its definition. */
export const onChangeModes = ['HOLD', 'BLOCK', 'ACCEPT'] as const;
export type OnChange = (typeof onChangeModes)[number];

export const toolFields = [
  'description',
  'inputSchema',
  'title',
  'outputSchema',
  'annotations',
  'readOnlyHint',
  'destructiveHint',
  'openWorldHint',
  'effect',
  'untrustedResults',
  'untrustedFields',
  'aliases',
  'destinations',
  'identifiers',
  'content',
  'directory',
  'proposed',
] as const;
export type ToolField = (typeof toolFields)[number];

/** The fields that are proposed for a tool that nobody described. */
export const proposedFields = [
  'effect',
  'untrustedResults',
  'untrustedFields',
  'destinations',
  'identifiers',
  'content',
  'directory',
] as const;
export type ProposedField = (typeof proposedFields)[number];

/** WITHDRAWN: a change that waited is gone. NOT_LISTED: the server does not list an imported tool. */
export const toolChanges = ['ADDED', 'CHANGED', 'WITHDRAWN', 'REMOVED', 'NOT_LISTED'] as const;

/** Signs of an order to the model in the definition of a tool. */
export const toolWarningKinds = [
  'INVISIBLE',
  'MARKUP',
  'CONCEALMENT',
  'OVERRIDE',
  'PRECONDITION',
  'SECRETS',
  'OTHER_TOOL',
] as const;
export type ToolWarningKind = (typeof toolWarningKinds)[number];
