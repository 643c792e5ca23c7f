/** The files of the service that a process starts with: the program, and the code of its threads. */
export const entries = [
  { in: 'src/main.ts', out: 'main' },
  { in: 'src/cli/serve/watchdog-thread.ts', out: 'watchdog-thread' },
  { in: 'src/store/sqlite/file/checkpointer.ts', out: 'checkpointer' },
  { in: 'src/features/policies/check-thread.ts', out: 'check-thread' },
  { in: 'src/evaluate/scanning/scan-thread.ts', out: 'scan-thread' },
  { in: 'src/store/postgres/record/query-thread.ts', out: 'query-thread' },
  { in: 'src/services/replay/replay-thread.ts', out: 'replay-thread' },
  { in: 'src/cli/serve/evaluation-thread.ts', out: 'evaluation-thread' },
];
