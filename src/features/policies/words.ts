export const policyStatuses = ['DRAFT', 'ACTIVE', 'DEPRECATED'] as const;
export type PolicyStatus = (typeof policyStatuses)[number];

/** JSON text of the params of a binding that names none. */
export const noParams = '{}';

/** How a document was sent, and so how it is given back. */
export const policyMediaTypes = ['application/yaml', 'application/json'] as const;
export type PolicyMediaType = (typeof policyMediaTypes)[number];

/** The first evaluations that a new counter counts; `CounterStart` describes them. */
export const counterStarts = ['RECORD', 'KEPT_CONTENT', 'NOTHING'] as const;

export const policyParts = [
  'SETTING',
  'PARAM',
  'VARIABLE',
  'COUNTER',
  'DETECTOR',
  'TOOL',
  'RULE',
  'LABEL',
  'TEST',
] as const;
export const policyPartChanges = ['ADDED', 'REMOVED', 'CHANGED'] as const;

/** The answer about a property of a policy. */
export const propertyVerdicts = ['PROVED', 'VIOLATED', 'UNKNOWN', 'PROVER_ERROR'] as const;
/** How strictly a version decides, compared with the one before. */
export const comparisonVerdicts = ['EQUAL', 'STRICTER', 'LAXER', 'MIXED', 'UNKNOWN', 'PROVER_ERROR'] as const;
