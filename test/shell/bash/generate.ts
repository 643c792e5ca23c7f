/** A generator of numbers that gives the same ones for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Programs that generated lines run. All are stand-ins: none of them does what its name says. */
export const programs = [
  'rm',
  'git',
  'ls',
  'cp',
  'mv',
  'tar',
  'make',
  'curl',
  'dd',
  'chmod',
  'tool-1',
  'p.q',
];

const letters = 'abcxyzRF019./_-=:,@%+~';
const odd = ' \t*?[]{}()<>|&;!#^=~,';

/** Writes lines in which every command runs, but for those whose program begins with `skip`. */
export class Lines {
  readonly #random: () => number;
  #names = 0;
  constructor(random: () => number) {
    this.#random = random;
  }

  line(): string {
    this.#names = 0;
    return this.#list(3);
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }
  #chance(share: number): boolean {
    return this.#random() < share;
  }
  #some(characters: string, most: number): string {
    const count = 1 + Math.floor(this.#random() * most);
    return Array.from({ length: count }, () => this.#pick([...characters])).join('');
  }

  /** The same text in quotes of some kind. */
  #quoted(text: string): string {
    switch (Math.floor(this.#random() * 5)) {
      case 0:
        return `'${text.replaceAll("'", `'"'"'`)}'`;
      case 1:
        return `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
      case 2:
        return text.replace(/[^\n]/g, '\\$&');
      case 3:
        return `$'${text.replace(/[\\']/g, '\\$&').replace(/[a-z]/g, (letter) => (this.#chance(0.3) ? `\\x${letter.charCodeAt(0).toString(16)}` : letter))}'`;
      default:
        return [...text]
          .map((char) =>
            this.#chance(0.5) ? `'${char === "'" ? '' : char}'` : `"${char.replace(/[\\"$`]/g, '\\$&')}"`,
          )
          .join('');
    }
  }

  #program(): string {
    const name = this.#pick(programs);
    if (this.#chance(0.7)) return name;
    if (this.#chance(0.5)) return this.#quoted(name);
    const at = Math.floor(this.#random() * name.length);
    return name.slice(0, at) + this.#pick(["''", '""', '\\', '\\\n']) + name.slice(at);
  }

  #word(depth: number): string {
    const random = this.#random();
    if (random < 0.35) return this.#some('abcxyz019./_', 6).replace(/^\.+/, 'd');
    if (random < 0.5) return this.#pick(['-r', '-rf', '--force', '-x=1', '--name=a b'.replace(' ', '')]);
    if (random < 0.65) return this.#quoted(this.#some(letters + odd, 6));
    if (random < 0.72)
      return this.#pick([
        '{a,b}',
        'x{1..3}y',
        '{a,b}{c,d}',
        'q{,z}',
        '{}',
        '{a}',
        'a{b,c',
        '{3..1}',
        '{a..e..2}',
        "{x,'y,z'}",
        '{a,{b,c}}',
        '{01..03}',
        'a,b}',
      ]);
    if (random < 0.76)
      return this.#pick([
        '*zz?',
        '[ab]zz',
        '~nobody_/x',
        'a#b',
        'a=b',
        '!',
        'a!b',
        '"a\\\nb"',
        'x\\\ny',
        '$',
        '"$"',
        'a$',
        '%1',
        '^',
        'a^b',
        '-',
        '--',
        '@x',
        ']',
        '[',
      ]);
    if (random < 0.8)
      return `"${this.#pick(['$UNSET', '${UNSET:-d}', '${UNSET}', 'a$UNSET b', '${#UNSET}', '$((1 + 2))', '${UNSET:-"a b"}', '$[1+1]'])}"`;
    if (depth > 0 && random < 0.9) return this.#substitution(depth - 1);
    return this.#some('abcxyz', 3) + this.#quoted(this.#some(letters, 3)) + this.#some('abc', 2);
  }

  #substitution(depth: number): string {
    const inner = this.#list(Math.min(depth, 1));
    switch (Math.floor(this.#random() * 4)) {
      case 0:
        return `"$(${inner}\n)"`;
      case 1:
        return `"a$( ${inner}
 )b"`;
      case 2:
        return `"${'`'}${this.#simple(0).replace(/[\\`$"]/g, '\\$&')}${'`'}"`;
      default:
        return `"\${UNSET:-$(${inner}
)}"`;
    }
  }

  #redirect(): string {
    return this.#pick([
      '>out',
      '> out',
      '2>&1',
      '</dev/null',
      '>>out',
      '2>err',
      '&>all',
      '>|out',
      '1>out',
      '3>&1',
      '<<<word',
      "<<< 'a b'",
      '2>/dev/null',
      '>&2',
      '0</dev/null',
      '3>&-',
    ]);
  }

  #simple(depth: number): string {
    const parts: string[] = [];
    if (this.#chance(0.12)) parts.push(this.#pick(['A=1', "B='x y'", 'C=', 'D="a $UNSET"', 'E+=1', 'F=a=b']));
    // `;&` ends a branch of a case.
    if (this.#chance(0.05)) parts.push(this.#redirect().replace(/^&/, '1'));
    parts.push(this.#program());
    const count = Math.floor(this.#random() * 4);
    for (let index = 0; index < count; index += 1) {
      parts.push(this.#word(depth));
      if (this.#chance(0.1)) parts.push(this.#redirect());
    }
    return parts.join(this.#pick([' ', ' ', ' ', '  ', '\t', ' \\\n ']));
  }

  #wrapped(depth: number): string {
    const script = this.#list(Math.min(depth, 1));
    switch (Math.floor(this.#random() * 18)) {
      case 0:
        return `env A=1 ${this.#plainSimple()}`;
      case 1:
        return `nohup ${this.#plainSimple()}`;
      case 2:
        return `nice -n 5 ${this.#plainSimple()}`;
      case 3:
        return `timeout ${this.#pick(['5', '-s KILL 5', '-k 1 5', '--signal=KILL 5'])} ${this.#plainSimple()}`;
      case 4:
        return `stdbuf -oL -e 0 ${this.#plainSimple()}`;
      case 5:
        return `command ${this.#plainSimple()}`;
      case 6:
        return `(exec ${this.#plainSimple()})`;
      case 7:
        return `eval ${this.#quotedWhole(script)}`;
      case 8:
        return `eval ${this.#plainSimple()}`;
      case 9:
        return `${this.#pick(['bash', 'sh', 'dash'])} ${this.#pick(['-c', '-ec', '-e -c', '-fc'])} ${this.#quotedWhole(this.#plainSimple())}`;
      case 10:
        return `bash -c ${this.#quotedWhole(script)}`;
      case 11:
        return `xargs ${this.#pick(['', '-n1', '-n 1', '-P2', '-0 -n 2', '--max-args=1'])} ${this.#plainSimple()} </dev/null`;
      case 12:
        return `find . -maxdepth 0 -exec ${this.#plainSimple()} {} \\;`;
      case 13:
        return `find . -maxdepth 0 -exec ${this.#plainSimple()} ${this.#pick(['{} +', "';'", '\\;'])}`;
      case 14:
        return `time ${this.#plainSimple()}`;
      case 15:
        return `env -u X -S ${this.#quotedWhole(`${this.#pick(programs)} a 'b c'`)}`;
      case 16:
        return `setsid -w env ${this.#plainSimple()}`;
      default:
        return `echo ${this.#quotedWhole(this.#plainSimple())} | ${this.#pick(['sh', 'bash', 'bash -s', 'sh -'])}`;
    }
  }

  /** Of words without substitutions or backslashes, which every shell and program reads alike. */
  #plainSimple(): string {
    const words = Array.from({ length: Math.floor(this.#random() * 3) }, () =>
      this.#some('abcxyz019._', 5).replace(/^\.+/, 'd'),
    );
    return [
      this.#pick(programs),
      ...words,
      ...(this.#chance(0.3) ? ["'a b'"] : []),
      ...(this.#chance(0.3) ? ['-rf'] : []),
    ].join(' ');
  }

  #quotedWhole(text: string): string {
    return this.#chance(0.6) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
  }

  #skipped(): string {
    return `skip_it ${this.#some('abc', 3)}`;
  }

  #compound(depth: number): string {
    const inner = () => this.#list(depth - 1);
    const end = this.#pick(['\n', ' ;', '; ']);
    const close = () => this.#pick(['\n', ';']);
    switch (Math.floor(this.#random() * 17)) {
      case 0:
        return `( ${inner()}\n)`;
      case 1:
        return `{ ${inner()}\n}`;
      case 2:
        return `if ${this.#simple(0)}\nthen ${inner()}\nelse ${this.#skipped()}${end}fi`;
      case 3:
        return `if false${close()} then ${this.#skipped()}; else ${inner()}\nfi`;
      case 4:
        return `if false; then ${this.#skipped()}; elif ${this.#simple(0)}\nthen ${inner()}\nfi`;
      case 5:
        return `while ${this.#simple(0)}\ndo ${inner()}\nbreak; done`;
      case 6:
        return `until false; do ${inner()}\nbreak\ndone`;
      case 7:
        return `for x in 1${close()}do ${inner()}\ndone`;
      case 8:
        return `for x in a; do ${this.#pick(programs)} "$x"; done`;
      case 9:
        return `case ab in a*) ${inner()}\n;; *) ${this.#skipped()};; esac`;
      case 10:
        return `case "x y" in (q|z) ${this.#skipped()} ;; "x y") ${inner()}\nesac`;
      case 11: {
        this.#names += 1;
        const name = `fn_${this.#names}`;
        const head = this.#pick([`${name}()`, `function ${name}`, `function ${name} ()`, `${name} ( )`]);
        return `{ ${head} { ${inner()}\n}; ${name}; }`;
      }
      case 12:
        // Every compound command succeeds, so that `|| skip_it` runs nothing.
        return `{ ! ${this.#simple(depth - 1)}\ntrue\n}`;
      case 13:
        return `[[ -n x && ( a == a || b < c ) ]] && ${this.#simple(depth - 1)}`;
      case 14:
        return `${this.#pick(['((1))', '(( 1 + 2 ))', '((x=1))', '(( (1) ))'])} && ${this.#simple(depth - 1)}`;
      case 15:
        return `((${this.#simple(0)}); ${this.#simple(0)})`;
      default:
        return `for ((i=0; i<1; i++)); do ${inner()}\ndone`;
    }
  }

  #heredoc(depth: number): string {
    const word = this.#pick(['EOF', "'EOF'", '"EOF"', '\\EOF', 'E"O"F']);
    const dash = this.#chance(0.3) ? '-' : '';
    const isQuoted = word !== 'EOF';
    const body = this.#pick([
      'it\'s (a) "text',
      'line one\nline `two'.replace('`', ''),
      isQuoted ? '$(skip_this) `skip_that`' : `text $(${this.#simple(0)}\n) more`,
      '',
    ]);
    const rest = this.#chance(0.3) ? ` | ${this.#simple(Math.max(depth - 1, 0))}` : '';
    return `${this.#program()} <<${dash}${word}${rest}\n${body}${body === '' ? '' : '\n'}${dash === '-' && this.#chance(0.5) ? '\t' : ''}EOF\n`;
  }

  #command(depth: number): string {
    const random = this.#random();
    if (depth > 0 && random < 0.2) {
      const compound = this.#compound(depth);
      const takesRedirect = /(?:^|[\s;])(?:fi|done|esac|[)}])$/.test(compound);
      return takesRedirect && this.#chance(0.4) ? `${compound} ${this.#redirect()}` : compound;
    }
    if (depth > 0 && random < 0.4) return this.#wrapped(depth);
    return this.#simple(depth);
  }

  #pipeline(depth: number): string {
    const stages = [this.#command(depth)];
    while (this.#chance(0.2)) stages.push(this.#command(Math.max(depth - 1, 0)));
    return stages.join(this.#pick([' | ', '|', ' |& ', ' |\n ']));
  }

  #list(depth: number): string {
    if (depth > 0 && this.#chance(0.06)) return `${this.#heredoc(depth)}${this.#pipeline(depth - 1)}`;
    let text = this.#pipeline(depth);
    while (this.#chance(0.3)) {
      const next = this.#pipeline(Math.max(depth - 1, 0));
      const separator = this.#pick([' ; ', ';', '\n', ' & wait;', '\n\n', ' # a comment; ls\n', '& wait\n']);
      text += separator + next;
    }
    if (this.#chance(0.1)) text += this.#pick([' || skip_it', ';', ' #end', '\n']);
    return text;
  }
}
