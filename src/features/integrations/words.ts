export const integrationKinds = ['REST_API', 'MCP_SERVER', 'AGENT'] as const;
export type IntegrationKind = (typeof integrationKinds)[number];

/** The permissions of an integration's key. */
export const keyScopes = ['evaluate', 'sessions:open', 'sessions:end', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** How much of `input`, `targetMetadata` and messages is stored. */
export const contentRetentions = ['full', 'redacted', 'none'] as const;
export type ContentRetention = (typeof contentRetentions)[number];

/** How much an operator sees of an action while its review is PENDING. */
export const reviewInputs = ['full', 'redacted'] as const;
export type ReviewInput = (typeof reviewInputs)[number];

/** `strict` also reports bare values without a context word. */
export const detectionSensitivities = ['balanced', 'strict'] as const;
export type DetectionSensitivity = (typeof detectionSensitivities)[number];

/** The session of MCP calls that name none; docs/mcp.md says what each choice defends against. */
export const sessionScopes = ['connection', 'client', 'integration', 'trace'] as const;
export type SessionScope = (typeof sessionScopes)[number];

/** The decision when no enforced policy applies. */
export const noPolicyDecisions = ['ALLOW', 'BLOCK'] as const;
export type NoPolicyDecision = (typeof noPolicyDecisions)[number];

/** The least enforcement of an action whose tool the catalogue does not name. */
export const unknownToolActions = ['ALLOW', 'APPROVAL_REQUIRED', 'BLOCK'] as const;
export type UnknownToolAction = (typeof unknownToolActions)[number];

/** The least enforcement of a call whose arguments do not match the schema of its tool. */
export const schemaMismatchActions = ['WARN', 'BLOCK'] as const;
export type SchemaMismatchAction = (typeof schemaMismatchActions)[number];

/** The answer to an action that a person rejected earlier in the session. */
export const afterRejections = ['BLOCK', 'ASK_AGAIN'] as const;
export type AfterRejection = (typeof afterRejections)[number];
