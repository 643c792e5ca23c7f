import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A tool as `tools/SUITE.json` describes it. */
export interface TracedTool {
  name: string;
  description: string;
  /** A hand-made label: only counts, and truthful annotations, are made of it. */
  effect: 'read' | 'write' | 'external' | 'destructive';
  inputSchema: Record<string, unknown>;
}

export interface TracedStep {
  tool: string;
  arguments: Record<string, unknown>;
  result: unknown;
  /** The tool refused. */
  error?: boolean | string;
  /** The result holds the injected text. */
  injected?: boolean;
  effect?: string;
  /** The call serves an injected goal. */
  malicious: boolean;
  violation?: string;
  /** What the user said since the step before. */
  user_before?: string[];
}

export interface Trace {
  id: string;
  suite: string;
  kind: string;
  /** What the user asked. */
  user: string;
  /** A stable name of the user. */
  entity: string;
  steps: TracedStep[];
  /** Index of the step that completes the injected goal; null where the goal needs no call. */
  goal_step?: number | null;
}

export interface Suite {
  name: string;
  tools: TracedTool[];
  traces: Trace[];
}

/** The suites of a folder with `traces/SUITE.jsonl.gz` (or `.jsonl`) and `tools/SUITE.json`. */
export function readSuites(folder: string): Suite[] {
  return readdirSync(join(folder, 'traces'))
    .filter((file) => /\.jsonl(\.gz)?$/.test(file))
    .sort()
    .map((file) => {
      const name = basename(file).replace(/\.jsonl(\.gz)?$/, '');
      const bytes = readFileSync(join(folder, 'traces', file));
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      const traces = text.split('\n').filter((line) => line !== '');
      return {
        name,
        tools: JSON.parse(readFileSync(join(folder, 'tools', `${name}.json`), 'utf8')) as TracedTool[],
        traces: traces.map((line) => JSON.parse(line) as Trace),
      };
    });
}
