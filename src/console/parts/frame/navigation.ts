import { may, operator } from '../../data/operator/sign-in.ts';

/** The pages of the navigation, in its order. */
export const pageGroups = {
  work: ['now', 'reviews', 'sessions', 'evaluations', 'violations', 'statistics'],
  rules: ['policies', 'proposals', 'lists', 'integrations', 'mcp-servers', 'entities', 'webhooks'],
  people: ['operators', 'audit', 'record', 'settings'],
} as const;
export type PageName = (typeof pageGroups)[keyof typeof pageGroups][number];

export const pageNames: readonly PageName[] = Object.values(pageGroups).flat();

/** Pages that not every role may read, and what they need. */
const needs: Partial<Record<PageName, string>> = {
  webhooks: 'webhooks:read',
  operators: 'operators:read',
  audit: 'audit:read',
  record: 'audit:read',
};

/** Before it is known who is signed in, all are: most operators may read them, and what is named later would move the others. */
export const isOffered = (page: PageName): boolean => {
  const permission = needs[page];
  return permission === undefined || operator.value === null || may(permission);
};

/** The key that opens a page after G. */
export const pageKeys: Readonly<Record<PageName, string>> = {
  now: 'n',
  reviews: 'r',
  sessions: 's',
  evaluations: 'e',
  violations: 'v',
  statistics: 't',
  policies: 'p',
  proposals: 'c',
  lists: 'l',
  integrations: 'i',
  'mcp-servers': 'm',
  entities: 'y',
  webhooks: 'w',
  operators: 'o',
  audit: 'a',
  record: 'd',
  settings: ',',
};
