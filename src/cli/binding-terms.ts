import type { Command } from 'commander';
import { wordOption } from './api-command.ts';

/** With which params and mode a policy applies, to one integration or to all. */
export const withTerms = (command: Command): Command =>
  command
    .option(
      '--param <name=value...>',
      'a param of the policy, as JSON or plain text; params that are not given are removed',
    )
    .addOption(
      wordOption('--mode <mode>', 'replaces the mode of the document; removed when only params are given', [
        'ENFORCE',
        'MONITOR',
      ]),
    );
