import type { Option } from 'commander';
import { numberOption } from './api-command.ts';

/** The options of a list that comes in pages. */
export const pagingOptions = (): Option[] => [
  numberOption('--page <n>', 'page number, from 1', [1, 1_000_000]),
  numberOption('--size <n>', 'entries per page (default 50)', [1, 200]),
];
