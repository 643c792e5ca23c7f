export const entityKinds = ['PERSON', 'TEAM', 'AGENT', 'SERVICE', 'OTHER'] as const;
export type EntityKind = (typeof entityKinds)[number];
