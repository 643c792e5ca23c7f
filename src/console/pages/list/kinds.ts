import type { ListKind } from '../../../schemas/lists.ts';

export const listKinds: readonly ListKind[] = ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'];
