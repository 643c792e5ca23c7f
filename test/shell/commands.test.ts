import t from 'tap';
import { readCommands } from '../../src/shell/commands.ts';
import { processorMs } from '../helpers/longest-step.ts';

/** `program args`, with `!` in front of an opaque one, `$` of a substituted one, and `<` programs that are piped into it. */
const shown = (said: string | readonly unknown[]): string[] =>
  readCommands(said).commands.map(({ program, args, isOpaque, substituted, pipedFrom }) => {
    const marks = `${isOpaque ? '!' : ''}${substituted ? '$' : ''}`;
    const from = pipedFrom.length > 0 ? ` < ${pipedFrom.join(' ')}` : '';
    return `${marks}${[program, ...args].join('|')}${from}`;
  });

const base16 = (text: string) => Buffer.from(text, 'utf16le').toString('base64');

/** What each text or list would run. */
const cases: readonly (readonly [said: string | readonly unknown[], expected: readonly string[]])[] = [
  ['', []],
  ['# only a comment', []],
  ['rm -rf /', ['rm|-rf|/']],
  // Quotes.
  [`r\\m 'a b' "c d" $'\\x65 f' g"h"'i'`, ['rm|a b|c d|e f|ghi']],
  ["'rm' -rf / \\\n b", ['rm|-rf|/|b']],
  ["$'\\162\\155' -rf /", ['rm|-rf|/']],
  ['echo "a $HOME `x`" \'$HOME\'', ['$x', 'echo|a $HOME `x`|$HOME']],
  ['rm${IFS}-rf$IFS/', ['rm|-rf|/']],
  ['echo {a,b}{1..2} x{,y} "{a,b}" {a}', ['echo|a1|a2|b1|b2|x|xy|{a,b}|{a}']],
  ['{rm,-rf,/}', ['rm|-rf|/']],
  ['ls ~/x *.ts', ['ls|~/x|*.ts']],
  // Lists, pipelines and compound commands.
  ['a; b & c && d || e\nf', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['a | b |& c', ['a', 'b < a', 'c < a b']],
  ['(cd / && rm -rf *)', ['cd|/', 'rm|-rf|*']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
  ['for x in 1 $(y); do a "$x"; done; for ((;;)); do b; done', ['$y', 'a|$x', 'b']],
  ['case $x in a|b) c;; (*) d ;; esac', ['c', 'd']],
  ['f() { a; }; function g { b; }; f', ['a', 'b', 'f']],
  ['{ curl x; } | sh', ['curl|x', '!sh < curl']],
  ['! time a; time -p { b; }', ['a', 'b']],
  ['[[ -f $(a) && b ]] && ((1 + $(c))) && d', ['$a', '$c', 'd']],
  ['coproc a', ['a']],
  ['{ a; } 2>&1 | b; while c; do d; done < x >> y', ['a', 'b < a', 'c', 'd']],
  // Substitutions.
  ['a "$(b `c`)" <(d) >(e)', ['$c', '$b|`c`', '$d', '$e', 'a|$(b `c`)|<(d)|>(e)']],
  ['a "${x:-$(b)}" $((1 + $(c)))', ['$b', '$c', 'a|${x:-$(b)}|$((1 + $(c)))']],
  ['cat <<EOF\n$(a)\nEOF\nb', ['cat', '$a', 'b']],
  ["cat <<'EOF' > x\n$(a)\nEOF\nb", ['cat', 'b']],
  // Wrappers.
  ['env -i -u B A=1 rm x', ['rm|x']],
  ['env -S "rm -rf /"', ['rm|-rf|/']],
  ['sudo -u root -- nice -n 5 nohup timeout -s KILL 5 stdbuf -oL setsid rm x', ['rm|x']],
  ['command -v rm; command rm x; exec -a y rm z; builtin cd w', ['command|-v|rm', 'rm|x', 'rm|z', 'cd|w']],
  ['bash -lc "rm x; ls"', ['rm|x', 'ls']],
  ['sh -c \'sh -c "rm x"\'', ['rm|x']],
  ['eval "rm -rf" ~', ['rm|-rf|~']],
  ['ls | xargs -n 1 rm -rf', ['ls', 'rm|-rf|$@ < ls']],
  ['ls | xargs -I{} sh -c "rm {}"', ['ls', '!sh|-c|rm {} < ls', 'rm|{} < ls']],
  [
    'find / -name x -exec rm {} \\; -execdir ls +',
    ['find|/|-name|x|-exec|rm|{}|;|-execdir|ls|+', 'rm|{}', 'ls|+'],
  ],
  ['ssh -p 22 host "rm x; ls"', ['ssh|-p|22|host|rm x; ls', 'rm|x', 'ls']],
  [
    'docker run --rm -v /:/h -e A=1 alpine rm -rf /h',
    ['docker|run|--rm|-v|/:/h|-e|A=1|alpine|rm|-rf|/h', 'rm|-rf|/h'],
  ],
  ['docker exec -it db sh -c "rm x"', ['docker|exec|-it|db|sh|-c|rm x', 'rm|x']],
  ['kubectl exec -it pod -n a -- rm x', ['kubectl|exec|-it|pod|-n|a|--|rm|x', 'rm|x']],
  ['npx -y rimraf@5 /; uvx ruff check', ['npx|-y|rimraf@5|/', 'rimraf|/', 'uvx|ruff|check', 'ruff|check']],
  ['watch -n 1 "rm x"; parallel rm ::: a b', ['rm|x', 'rm|a|b']],
  ['git -c alias.x="!rm y" x', ['git|-c|alias.x=!rm y|x', 'rm|y']],
  ['git rebase -x "rm y" main', ['git|rebase|-x|rm y|main', 'rm|y']],
  ['trap "rm x" EXIT; alias l="rm y"', ['trap|rm x|EXIT', 'rm|x', 'alias|l=rm y', 'rm|y']],
  ['busybox rm x; flock /l rm y; su -c "rm z"', ['rm|x', 'rm|y', 'su|-c|rm z', 'rm|z']],
  ['powershell -NoProfile -Command "Remove-Item -Recurse C:\\x; ls"', ['remove-item|-Recurse|C:\\x', 'ls']],
  [`pwsh -enc ${base16('Remove-Item x')}`, ['remove-item|x']],
  [
    'pwsh -c \'$env:A="b"; $x = ls; gps | where { $_.y }; [IO.File]::Delete("z")\'',
    [
      'b',
      'ls',
      'gps',
      'where < gps',
      '![io.file]::delete < $env:a=b $x gps where $_.y [io.file]::delete z',
      'z',
    ],
  ],
  ['cmd /c "del /s x & dir"', ['del|/s|x', 'dir']],
  ['powershell -c "iwr x | iex"', ['iwr|x', '!iex < iwr iwr iex']],
  // What it runs cannot be known.
  ['$X -rf /', ['!$x|-rf|/']],
  ['eval "$X"', ['!eval|$X']],
  ['bash -c "$(curl x)"', ['$curl|x', '!bash|-c|$(curl x) < curl']],
  ['curl x | sudo bash -s', ['curl|x', '!bash|-s < curl']],
  ['bash <(curl x); . <(wget y)', ['$curl|x', '!bash|<(curl x) < curl', '$wget|y', '!.|<(wget y) < wget']],
  ['echo cm0= | base64 -d | sh', ['echo|cm0=', 'base64|-d < echo', '!sh < echo base64']],
  ['echo "rm x" | sh', ['echo|rm x', 'sh < echo', 'rm|x < echo']],
  ["bash <<'E'\nrm x\nE", ['!bash', 'rm|x']],
  ['python3 - <<E\nx\nE', ['!python3|-']],
  ['python3; node; bash', ['!python3', '!node', '!bash']],
  [
    'python3 -c "x"; python3 x.py; node --test; bash x.sh',
    ['python3|-c|x', 'python3|x.py', 'node|--test', 'bash|x.sh'],
  ],
  ['/bin/r? x; =rm y', ['!r?|x', '!=rm|y']],
  // What no shell reads.
  ['rm x\nls )', ['rm|x', 'ls', '!|rm x\nls )']],
  ["echo 'a", ["!|echo 'a"]],
  // Lists of words.
  [['bash', '-lc', 'rm -rf /'], ['rm|-rf|/']],
  [['echo', '$(rm x)', 'a;b'], ['echo|$(rm x)|a;b']],
  [['rm x; ls'], ['rm|x', 'ls']],
  ['A=1; B=2 c', ['', 'c']],
  ['bash -n x; sh -nc y', ['bash|-n|x', 'sh|-nc|y']],
  ["tar -cI 'zstd -3' -f x a", ['tar|-cI|zstd -3|-f|x|a', 'zstd|-3']],
  ["rsync -e 'ssh -p 1' a b:", ['rsync|-e|ssh -p 1|a|b:', 'ssh|-p|1']],
  ["tar xf a --checkpoint-action=exec='rm x'", ['tar|xf|a|--checkpoint-action=exec=rm x', 'rm|x']],
  ['cmd /c "for %i in (*) do call del %i"', ['for|%i|in', '*', 'del|%i']],
  ['cmd /c "if not exist a start /b del b"', ['del|b']],
  [
    'powershell -c \'saps cmd "/c del b" -Verb RunAs; if ($a -ne 0) { x }\'',
    ['saps|cmd|/c del b|-Verb|RunAs', 'del|b', 'if', 'x'],
  ],
  [['head', 5, null], ['head|5|null']],
  [[], []],
];

t.test('the commands of a text or a list of words', async (t) => {
  for (const [said, expected] of cases) t.strictSame(shown(said), expected, JSON.stringify(said));
});

t.test('what a command is besides its words', async (t) => {
  const [command] = readCommands(
    'A=1 B= sudo env C=3 /bin/tar -xzf a --dir=b -- -c >o 2>>e <i 2>&1 &>f',
  ).commands;
  t.match(command, {
    program: 'tar',
    path: '/bin/tar',
    flags: ['x', 'z', 'f', 'dir'],
    operands: ['a', '-c'],
    env: { A: '1', B: '', C: '3' },
    wrappers: ['sudo', 'env'],
  });
  t.strictSame(command?.redirects, [
    { to: 'o', from: '', append: false },
    { to: 'e', from: '', append: true },
    { to: '', from: 'i', append: false },
    { to: 'f', from: '', append: false },
  ]);
});

t.test('the uses of a program, as lists of them are written', async (t) => {
  const uses = (text: string) => readCommands(text).commands[0]?.uses;
  t.strictSame(uses('git -C x push -f Origin main'), [
    'git',
    'git push',
    'git origin',
    'git main',
    'git -C',
    'git -f',
    'git push origin',
    'git push origin main',
  ]);
  t.strictSame(uses('sudo podman run --privileged a'), [
    'docker',
    'docker run',
    'docker a',
    'docker -privileged',
    'docker run a',
  ]);
  t.strictSame(uses('ls'), ['ls']);
});

t.test('the standard input of a command, where the text says what it is', async (t) => {
  const inputs = (text: string) =>
    readCommands(text).commands.flatMap(({ program, input }) => (program === 'psql' ? [input] : []));
  t.strictSame(inputs("echo 'drop table a' | psql x"), ['drop table a']);
  t.strictSame(inputs("sudo -u postgres psql <<< 'drop table a'"), ['drop table a\n']);
  t.strictSame(inputs('cat <<E | psql\ndrop table a\nE'), ['drop table a\n']);
  t.strictSame(inputs('psql <<E\n$(date) $HOME\nE\npsql; cat a | psql; psql < a'), ['', '', '', '']);
});

t.test('a redirect of a compound command is one of the commands in it that have output', async (t) => {
  const written = (text: string) =>
    readCommands(text).commands.map(
      ({ program, redirects }) => `${program}${redirects.map(({ to, from }) => ` >${to} <${from}`)}`,
    );
  t.strictSame(written('for f in *; do wc $f >e; done > all'), ['wc >e <, >all <']);
  t.strictSame(written('while true; do a; done >> log'), ['true', 'a >log <']);
  t.strictSame(written('(a; { b; } <c) > d'), ['a >d <', 'b > <c, >d <']);
  t.strictSame(written('if a; then b "$(c)"; fi > d'), ['a >d <', 'c', 'b >d <']);
  for (const text of ['> db', '{ :; } > db', '(true) > db', '[[ a ]] > db', '((1)) > db', '{ x=$(a); } > db'])
    t.equal(written(text).at(-1), ' >db <', text);
  const many = `${'{ '.repeat(40)}${'a;'.repeat(400)}${'} >b;'.repeat(40)}`;
  t.equal(readCommands(many).commands.at(-1)?.isOpaque, true, 'more redirects than are worth the text');
});

t.test('a subcommand is the first operand, whatever options come before it', async (t) => {
  const operands = (text: string) => readCommands(text).commands[0]?.operands;
  t.strictSame(operands('git -C ../x -c a=b --no-pager push -f origin main'), ['push', 'origin', 'main']);
  t.strictSame(operands('kubectl -n a --context prod delete pod x'), ['delete', 'pod', 'x']);
  t.strictSame(operands('aws --profile p s3 rb s3://x --force'), ['s3', 'rb', 's3://x']);
  t.strictSame(operands('find . ../x -name y -delete'), ['.', '../x']);
  t.strictSame(readCommands('terraform apply -auto-approve').commands[0]?.flags, ['auto-approve']);
});

t.test('no text throws, and time and output are bounded', async (t) => {
  const hostile: readonly string[] = [
    '('.repeat(100_000),
    '$('.repeat(50_000),
    '$(('.repeat(30_000),
    '`'.repeat(50_001),
    `${'{a,b}'.repeat(40)} x`,
    '{1..999999999}',
    'a;'.repeat(50_000),
    `eval '`.repeat(20_000),
    `${'bash -c "'.repeat(30)}x`,
    '<<a '.repeat(20_000),
    '${x:-'.repeat(20_000),
    'if '.repeat(20_000),
    `cat ${'<<E '.repeat(200)}\n${'x\n'.repeat(2_000)}`,
    '\ud800\udc01{a\udc02b}\udc03',
    'x'.repeat(300_000),
  ];
  for (const text of hostile) {
    let read = readCommands('');
    const ms = processorMs(() => {
      read = readCommands(text);
    });
    const { commands, charactersRead } = read;
    t.ok(commands.length <= 1_001, `${text.slice(0, 10)}: ${commands.length} commands`);
    t.ok(charactersRead <= text.length * 8 + 4_096);
    t.ok(ms < 2_000, `${text.slice(0, 10)}: ${ms.toFixed(0)} ms`);
  }
  let nested = 'rm x';
  for (let depth = 0; depth < 20; depth += 1) nested = `sudo eval ${nested}`;
  t.ok(
    readCommands(nested).commands.some(({ isOpaque }) => isOpaque),
    'nested too deeply',
  );
});
