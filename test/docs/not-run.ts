import type { Block } from './blocks.ts';

interface Exception {
  readonly page: string;
  /** What the block has. */
  readonly has: RegExp;
  readonly why: string;
}

/** What cannot be run as it stands, and what holds it true instead. Each must match a block: see the test. */
export const exceptions: readonly Exception[] = [
  {
    page: 'docs/proofs.md',
    has: /^npm install --no-save z3-solver/m,
    why: 'test/interop/prove-z3.test.mjs runs with the package',
  },
  { page: 'README.md', has: /^npm ci\nnpm start$/m, why: '.ci/run runs it on a clean clone' },
  { page: 'README.md', has: /agent, action ─▶/, why: 'a drawing' },
  { page: 'README.md', has: /^npm test$/m, why: '.ci/run runs it on a clean clone' },
  {
    page: 'docs/operations.md',
    has: /^docker build/m,
    why: 'scripts/image/build-and-check.sh builds and runs the image',
  },
  {
    page: 'docs/operations.md',
    has: /^assize restore assize-backup\.db$/m,
    why: 'the server must be stopped',
  },
  {
    page: 'docs/operations.md',
    has: /^assize clock reset --yes$/m,
    why: 'test/cli/clock.test.ts runs it: the server must be stopped',
  },
  { page: 'docs/operations.md', has: /^ASSIZE_DOMAIN=.* docker compose/m, why: 'test/deploy reads the file' },
  { page: 'docs/operations.md', has: /^systemctl daemon-reload$/m, why: 'test/deploy checks the unit' },
  { page: 'docs/operations.md', has: /^systemctl stop assize$/m, why: 'needs systemd' },
  { page: 'docs/operations.md', has: /^kubectl apply/m, why: 'test/deploy reads the manifests' },
  {
    page: 'docs/client.md',
    has: /^npm install \.\/assize-client-[\d.]+\.tgz$/m,
    why: 'test/client/package.test.ts installs the package',
  },
  {
    page: 'docs/operations.md',
    has: /^docker run .* mcr\.microsoft\.com\/presidio-analyzer$/m,
    why: 'test/http/recognizer.test.ts runs against that API',
  },
  { page: 'docs/python.md', has: /^pip install/m, why: 'needs pip; the programs below import the package' },
  {
    page: 'docs/ai-sdk.md',
    has: /^npm install \.\/assize-client-[\d.]+\.tgz ai zod$/m,
    why: 'test/interop/installs.test.mjs installs it',
  },
  { page: 'docs/cli.md', has: /^\$ assize serve$/m, why: 'test/serve.test.ts runs it' },
  { page: 'docs/cli.md', has: /^\$ assize backup/m, why: 'test/cli/database runs both' },
  {
    page: 'docs/cli.md',
    has: /^\$ source <\(assize completion bash\)$/m,
    why: 'test/cli/completion.test.ts runs it',
  },
  {
    page: 'docs/scale.md',
    has: /^CREATE DATABASE assize .* LC_COLLATE 'C'/m,
    why: 'test/store/postgres makes such databases',
  },
  {
    page: 'docs/scale.md',
    has: /^ignore_startup_parameters/m,
    why: 'test/replicas/pgbouncer.test.ts writes it',
  },
  { page: 'docs/identity.md', has: /"issuers"/, why: 'test/http/identity.test.ts sends these settings' },
  { page: 'docs/scale.md', has: /^ALTER ROLE assize SET/m, why: 'the service sets them where no pooler is' },
  {
    page: 'docs/mcp-proxy.md',
    has: /^assize mcp wrap/m,
    why: 'needs a package; test/cli/mcp/wrap.test.ts runs it before another server',
  },
  { page: 'docs/security.md', has: /→ \(1\) → Assize/, why: 'a drawing' },
  { page: 'docs/getting-started.md', has: /operator key {5}asz_admin_/, why: 'test/serve.test.ts reads it' },
  { page: 'docs/architecture.md', has: /^HTTP route or MCP tool → service/m, why: 'a drawing' },
  { page: 'docs/architecture.md', has: /^ 1 http\/routes/m, why: 'a drawing' },
];

export const notRun = (page: string, { body }: Block): boolean =>
  exceptions.some((exception) => exception.page === page && exception.has.test(body));
