/** What the entries of a list are. */
export const listKinds = ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'] as const;
export type ListKind = (typeof listKinds)[number];
