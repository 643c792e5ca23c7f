/** Where output goes or input comes from, besides pipes. */
export interface Redirect {
  /** The file that is written; `''` when one is read. */
  readonly to: string;
  /** The file that is read; `''` when one is written. */
  readonly from: string;
  readonly append: boolean;
}

/** The context of a command: everything but its words. */
export interface Circumstances {
  readonly redirects: readonly Redirect[];
  /** Assignments before it: only for this command. */
  readonly env: Readonly<Record<string, string>>;
  /** The commands that it was found in, outermost first: `["sudo", "timeout"]`. */
  readonly wrappers: readonly string[];
  /** Programs whose output it reads: earlier ones of its pipeline, and substitutions in a text that it runs. */
  readonly pipedFrom: readonly string[];
  /** Inside `$(…)`, backticks, `<(…)` or `>(…)`. */
  readonly substituted: boolean;
  /** Its standard input, where the text says what that is. */
  readonly input?: string | null | undefined;
}

/** One command that a text would run. */
export class Command {
  /** The last segment of `path`, in lower case and without `.exe`, because not every file system tells them apart. */
  readonly program: string;
  /** As it is written after quotes are removed; `''` for redirects without a command. */
  readonly path: string;
  /** The words after it, without quotes and with braces expanded. Expansions stay as they are written, and so do `~` and globs. */
  readonly args: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly env: Readonly<Record<string, string>>;
  readonly wrappers: readonly string[];
  readonly pipedFrom: readonly string[];
  readonly substituted: boolean;
  /** Its standard input, of a here document or of `echo`; `''` when it is not known. */
  readonly input: string;
  /** Whether what it runs cannot be known from the text. */
  readonly isOpaque: boolean;
  readonly #hasWordFlags: boolean;
  #flags: readonly string[] | undefined;
  #operands: readonly string[] | undefined;
  #uses: readonly string[] | undefined;

  constructor(
    path: string,
    args: readonly string[],
    { redirects, env, wrappers, pipedFrom, substituted, input }: Circumstances,
    isOpaque: boolean,
    hasWordFlags = false,
    program = programOf(path),
  ) {
    this.#hasWordFlags = hasWordFlags;
    this.program = program;
    this.path = path;
    this.args = args;
    this.redirects = redirects;
    this.env = env;
    this.wrappers = wrappers;
    this.pipedFrom = pipedFrom;
    this.substituted = substituted;
    this.input = input ?? '';
    this.isOpaque = isOpaque;
  }

  /** Flags without their hyphens: `-rf` is `r` and `f`, `--force=yes` is `force`. */
  get flags(): readonly string[] {
    if (this.#flags === undefined) this.#split();
    return this.#flags as readonly string[];
  }

  /** The arguments that are no flags, and not the value of an option in front of a subcommand (`git -C x push` has `push`). Of `find`, the folders. */
  get operands(): readonly string[] {
    if (this.#operands === undefined) this.#split();
    return this.#operands as readonly string[];
  }

  /**
   * The program alone, with its first two and three operands, with each of its operands, and with each of its flags: `git`,
   * `git push origin`, `git push`, `git origin`, `git -f`. Operands are in lower case. A program with the subcommands of another one has its name.
   */
  get uses(): readonly string[] {
    if (this.#uses === undefined) {
      const name = twins.get(this.program) ?? this.program;
      const operands = this.operands.map((operand) => `${name} ${operand.toLowerCase()}`);
      const [first, second, third] = this.operands;
      const uses = [name, ...operands, ...this.flags.map((flag) => `${name} -${flag}`)];
      if (second !== undefined) uses.push(`${name} ${first} ${second}`.toLowerCase());
      if (third !== undefined) uses.push(`${name} ${first} ${second} ${third}`.toLowerCase());
      this.#uses = uses;
    }
    return this.#uses;
  }

  #split(): void {
    const flags: string[] = [];
    const operands: string[] = [];
    const tool = toolOptions.get(this.program);
    const isLong = this.#hasWordFlags || wordFlags.has(this.program);
    const { args } = this;
    // The words after the folders are an expression.
    const isFind = this.program === 'find' || this.program === 'gfind';
    let isExpression = false;
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at] as string;
      if (isFind && /^[-(!]/.test(arg) && !/^-(?:[HLP]|O\d|D)$/.test(arg)) isExpression = true;
      if (arg === '--') {
        for (at += 1; at < args.length; at += 1) operands.push(args[at] as string);
      } else if (arg.charCodeAt(0) === HYPHEN && arg.length > 1) {
        const name = addFlags(arg, flags, isLong);
        const isBefore = tool !== undefined && (tool.anywhere || operands.length === 0);
        if (isBefore && name !== null && tool.names.has(name)) at += 1;
      } else if (!isExpression) operands.push(arg);
    }
    this.#flags = flags;
    this.#operands = operands;
  }
}

const twins: ReadonlyMap<string, string> = new Map([
  ['k', 'kubectl'],
  ['oc', 'kubectl'],
  ['podman', 'docker'],
  ['nerdctl', 'docker'],
  ['tofu', 'terraform'],
  ['terragrunt', 'terraform'],
  ['fly', 'flyctl'],
  ['hub', 'git'],
  ['gfind', 'find'],
  ['gtar', 'tar'],
  ['gmake', 'make'],
  ['ncat', 'nc'],
  ['netcat', 'nc'],
  ['apt-get', 'apt'],
  ['aptitude', 'apt'],
  ['dnf', 'yum'],
  ['pip3', 'pip'],
]);

const HYPHEN = 45;

/** Adds the flags of an argument. Returns the name of the option whose value may be the next argument; null when there is none. */
function addFlags(arg: string, flags: string[], isLong: boolean): string | null {
  const isDouble = arg.charCodeAt(1) === HYPHEN;
  if (isDouble || isLong) {
    const equals = arg.indexOf('=');
    const name = arg.slice(isDouble ? 2 : 1, equals < 0 ? undefined : equals);
    flags.push(isLong ? name.toLowerCase() : name);
    return equals < 0 ? name : null;
  }
  for (let at = 1; at < arg.length; at += 1) {
    const letter = arg[at] as string;
    // The result of an expansion is unknown; the letters after it are flags as well.
    if (isLetter(letter)) flags.push(letter);
    else if (letter !== '$') break;
  }
  return arg.length === 2 ? (arg[1] as string) : null;
}

const isLetter = (char: string): boolean =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || (char >= '0' && char <= '9');

/** Programs whose options of several letters have one hyphen. */
const wordFlags: ReadonlySet<string> = new Set([
  'find',
  'gfind',
  'java',
  'terraform',
  'tofu',
  'terragrunt',
  'packer',
  'vault',
  'consul',
  'nomad',
  'openssl',
  'certutil',
  'security',
]);

interface ToolOptions {
  readonly names: ReadonlySet<string>;
  /** Also after the subcommand. */
  readonly anywhere: boolean;
}

const before = (names: string): ToolOptions => ({ names: new Set(names.split(' ')), anywhere: false });
const anywhere = (names: string): ToolOptions => ({ names: new Set(names.split(' ')), anywhere: true });

/** Options with a value, of programs whose first operand is a subcommand. */
const toolOptions: ReadonlyMap<string, ToolOptions> = new Map([
  ['git', before('C c git-dir work-tree namespace exec-path config-env super-prefix attr-source')],
  ['docker', before('H host context config l log-level c tlscacert tlscert tlskey')],
  ['podman', before('c connection url identity log-level root runroot storage-driver')],
  [
    'kubectl',
    anywhere(
      'n namespace context kubeconfig cluster user s server token as as-group cache-dir request-timeout v l selector f filename o output',
    ),
  ],
  ['oc', anywhere('n namespace context kubeconfig cluster user s server token as')],
  ['helm', anywhere('n namespace kube-context kubeconfig f values set version timeout')],
  ['aws', anywhere('profile region output endpoint-url query ca-bundle color cli-input-json')],
  [
    'gcloud',
    anywhere('project account configuration format verbosity zone region impersonate-service-account'),
  ],
  ['gsutil', before('o h')],
  ['az', anywhere('subscription g resource-group n name o output query')],
  ['gh', anywhere('R repo hostname')],
  ['glab', anywhere('R repo')],
  ['npm', anywhere('prefix w workspace C registry tag otp userconfig')],
  ['pnpm', anywhere('C dir F filter registry tag')],
  ['yarn', anywhere('cwd')],
  ['cargo', anywhere('manifest-path p package color config Z')],
  ['systemctl', anywhere('H host M machine t type p property')],
  ['brew', before('prefix')],
  ['pip', before('python proxy log')],
  ['make', anywhere('C f directory file j')],
  ['crontab', anywhere('u')],
  ['rm', anywhere('')],
]);

/** The last segment of a path, in lower case and without `.exe`. */
export function programOf(path: string): string {
  let from = 0;
  let isPlain = true;
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at);
    if (code === SLASH) {
      from = at + 1;
      isPlain = true;
    } else if ((code > 64 && code < 91) || code > 127) isPlain = false;
  }
  // A substitution in the place of a program.
  if (path.startsWith('$(') || path.startsWith('`')) return path;
  let name = from === 0 ? path : path.slice(from);
  if (!isPlain) name = name.toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}

const SLASH = 47;

export const noRedirects: readonly Redirect[] = [];
export const noEnv: Readonly<Record<string, string>> = Object.freeze({});
export const noPrograms: readonly string[] = [];
