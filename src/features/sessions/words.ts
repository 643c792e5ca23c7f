export const sessionStatuses = ['ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'] as const;

export const endStatuses = ['COMPLETED', 'TERMINATED'] as const;

/** Longest `metadata`, as JSON text in UTF-8 bytes, and its deepest nesting (contract, "Sessions"). */
export const metadataLimits = { bytes: 16_384, depth: 16 } as const;

/** Counts the tools whose names come after the most that a session keeps. One additional entry. */
export const otherTools = '(other)';

/** How many `recentActions` a rule and a reader see (contract, "What a rule sees"). */
export const recentActionsLimit = 50;

/** Names of tools in a session of a list. */
export const listedToolsLimit = 20;
