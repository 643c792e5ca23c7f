import type { ListKind } from '../../../features/lists/schema.ts';

export const listKinds: readonly ListKind[] = ['DOMAINS', 'ACCOUNTS', 'TOOLS', 'OTHER'];
