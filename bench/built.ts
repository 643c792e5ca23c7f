import { spawnSync } from 'node:child_process';
import { build, type Plugin } from 'esbuild';

/**
 * Runs code as it is shipped: bundled to JavaScript, in a process of its own. Where Node strips types, its parser's
 * memory grows, and V8 checks every look into a buffer from then on (ADR 0019).
 */
export async function runBuilt(
  code: string,
  resolveDir: string,
  { plugins = [], banner = '' }: { plugins?: Plugin[]; banner?: string } = {},
): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node22',
    write: false,
    plugins,
    banner: { js: banner },
  });
  const input = outputFiles[0]?.text ?? '';
  const { status, error } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error(`the built code ended with ${status}`);
}
