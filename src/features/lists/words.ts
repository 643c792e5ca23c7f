/** The kinds of a list's entries. */
export const listKinds = ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'] as const;
export type ListKind = (typeof listKinds)[number];
