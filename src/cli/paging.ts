import type { Command } from 'commander';
import { numberOption } from './api-command.ts';

/** The options of a list that comes in pages. */
export const addPaging = (command: Command): Command =>
  command
    .addOption(numberOption('--page <n>', 'page number, from 1', [1, 1_000_000]))
    .addOption(numberOption('--size <n>', 'entries per page (default 50)', [1, 200]));
