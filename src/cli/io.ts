/** Where a command writes: the process's own streams, or what a test reads. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
}

export interface Sink {
  write(text: string): unknown;
  /** True for a terminal: tables and colours are for people. */
  isTTY?: boolean;
  columns?: number;
}

/** Whether who read the process's standard output has gone. */
export const reader = { gone: false };
