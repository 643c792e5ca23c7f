import type { Certainty } from '../labels/secret-value.ts';

/**
 * One way in which a text gives a name a value: what stands between the two, and around them. The label is a name that
 * `classifier.ts` knows; the value begins where `after` ends, or where `before` ends when it stands before the label.
 */
export interface Syntax {
  /** The label itself. */
  readonly name?: RegExp;
  /** The text up to the label. */
  readonly before?: RegExp;
  /** Text that must stand right before the label, in lower case. Cheaper than the regular expression `before`. */
  readonly follows?: string;
  /** Text that every match of `after` contains. Where it is missing, `after` is not tried. */
  readonly has?: string;
  /** Whether quotes stand around the label. */
  readonly quoted?: true;
  /** The labels it is for; all when absent. */
  readonly of?: 'password' | 'others';
  /** From the end of the label on, up to the value. */
  readonly after: RegExp;
  /**
   * How the syntax gives the value: one in quotes and any other, where they differ. `given`: a literal that may be
   * a plain word. `told`: a sentence gives it. `argument`: it is a word of a command, whatever it looks like. `nothing`: there is none.
   */
  readonly sure: Sure | readonly [quoted: Certainty, other: Certainty];
  /** Whether only a value of three kinds of characters counts. */
  readonly isStrong?: true;
  /** Whether the value stands before the label. */
  readonly isBefore?: true;
  /** Whether the value is a password whatever the label is, and whether it may be any text, as a password may. */
  readonly isPassword?: true;
  readonly isAny?: true;
  /** The syntaxes that are tried where it finds no value; none when absent. */
  readonly or?: 'next' | readonly Syntax[];
}
export type Sure = Certainty | 'given' | 'told' | 'argument' | 'nothing';

const QUOTE = '["\'`]';
const GAP = '[ \\t]{0,32}';
const SPACE = '[ \\t\\r\\n]{0,80}';
const TOKEN = '[^\\0-\\x20]';
/** A literal in one line. */
const LITERAL = `(?:"[^"\\0-\\x1f]{0,160}"|'[^'\\0-\\x1f]{0,160}'|\`[^\`\\0-\\x1f]{0,160}\`)`;
/** The text of an element, which ends with its line or at a tag and has no words behind the first one: not the <pass> column. */
const ELEMENT = `>${SPACE}(?:<!\\[cdata\\[${SPACE})?(?:<value>${SPACE})?(?=[^\\0-\\x20<]{1,256} *(?:[\\0-\\x1f<\\]]|$))`;
/** Signs that assign: `=`, `:`, `:=`, `?=`, `.=`, `||=`, `=>`, `<-`, `:::=`; a pair (name . "value"); a table without a frame: name | value. */
const OPERATOR = '(?:[?.|+<>!&-]{0,3}[:=][:=>]{0,3}(?![:=>])|<-|(?<= )[.|](?= ))';
/** The same up to the value, with the asterisks of **Password:** v. */
const AFTER = `(?:\\*{1,3}(?= ))?${GAP}`;
const ASSIGN = `${GAP}${OPERATOR}${AFTER}`;
const COLON = `${GAP}${OPERATOR}(?<=:)${AFTER}`;

const at = (...parts: readonly string[]): RegExp => new RegExp(`^(?:${parts.join('')})`, 'i');
const upTo = (...parts: readonly string[]): RegExp => new RegExp(`(?:${parts.join('')})$`, 'i');
const oneOf = (words: string): string => `(?:${words.split(' ').join('|')})`;

/** The name with the label begins a tag: <password>, <wsse:Password>; not <struct pwd>, B<pass> of Perl's pages, PASS=<password>. */
const TAG = /(?<![=:] |[=:A-Za-z0-9])<[\w:.-]{0,80}$/;
/** The name of a variable of the environment, and one without small letters. */
const VARIABLE = /^(?=.+_)[^a-z]+$/;
const CAPITALS = /^[^a-z]+$/;

/** Names of functions that read or check the secret, and of those that take it. */
const READS =
  /(?:^|[._-])(?:get|is|has|check|validate|find|read|fetch|load|verify|compare|match|expect|assert|parse|decode|ask|prompt|reset|forgot|no|by|test|require)_?[A-Z_]/i;
const WRITES = /(?:^|[._-])(?:set|with|use|change|update|store|save|put)[A-Z]|_/i;
/** Functions that take a name and a value. */
const PUTS = oneOf(
  'put set setproperty setenv setheader addheader setitem set_item store save add append header field param addparam setparam queryparam ' +
    'setfield fill type',
);
/** Methods that type a text into the field of a form. */
const TYPES = oneOf('fill type send_keys sendkeys presssequentially setvalue');
/** Functions and types that take the secret itself, and words between a label and its value. */
const WRAPS = oneOf(
  'from of some just string str secret secretstr bytes b new make hash hashsync bcrypt encode encrypt digest sha1 sha256 sha512 md5 ' +
    'make_password hash_password password_hash generate_password_hash hashpassword hashpw unsafeplaintext plaintext quote trim value valueof',
);
/** Functions whose second argument stands in when the variable that the first one names is not set. */
const DEFAULTS = oneOf('getenv get getordefault getproperty env fetch config get_env getstring string');
/** Functions whose first argument is the secret: what follows it is a salt. */
const DERIVES = upTo(`(?:pbkdf2|argon2|scrypt|hkdf|hmac|derive|eskdf)\\w*\\(${QUOTE}`);
/** Encodings are arguments, not secrets: `password.encode('utf-8')`. */
const ENCODING = `${QUOTE}(?:utf-?(?:7|8|16|32)(?:-?[bl]e|-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-\\d{1,2}|cp\\d{3,4}|windows-\\d{4}|hex|base64(?:url)?|binary)${QUOTE}`;
const ARGUMENT = `,${SPACE}(?:default=)?(?=${QUOTE})`;
const CALL = at(`\\(${SPACE}(?=${QUOTE})`);
const ANY = /^/;

/** Values before the label. */
export const BEFORE: readonly Syntax[] = [
  // <input value="v" type="password">
  {
    before: new RegExp(`<[^<]{0,160}? value=(?=[^<]{0,160}type=${QUOTE}?$)`, 'i'),
    after: at(QUOTE, '?[ \\t\\r\\n/>]'),
    sure: ['literal', 'setting'],
    isBefore: true,
    or: 'next',
  },
  // @Value("v") private String password;
  {
    before: new RegExp(`@value\\((?:value = )?(?=${LITERAL}\\)[\\w<>. \\t\\r\\n]{0,80} $)`, 'i'),
    after: at('[;:]'),
    sure: 'literal',
    isBefore: true,
    or: 'next',
  },
];

/** Texts that are typed into the field of a form whose selector has the label: fill('#password', 'v'), get('[name=password]').type('v'). */
export const TYPED: readonly Syntax[] = [
  {
    before: upTo(`#|=${QUOTE}?`),
    after: at(`(?:${QUOTE}|\\]){1,4},${SPACE}(?=${QUOTE})`),
    sure: 'literal',
    or: 'next',
  },
  {
    after: at(`(?:${QUOTE}|\\]){1,4}\\){1,2}\\.${TYPES}\\(${SPACE}(?=${QUOTE})`),
    sure: 'literal',
    or: 'next',
  },
];

/** <pass encoding="base64">v</pass> */
const WITH_ATTRIBUTES: Syntax = {
  before: TAG,
  has: '>',
  after: at(`${GAP}[^>\\0-\\x1f]{0,80}(?<!/)`, ELEMENT),
  sure: 'setting',
  or: 'next',
};

/** The syntaxes that follow the label without an operator, by the byte behind it and a gap. */
export const SEPARATED: Readonly<Record<string, readonly Syntax[]>> = {
  // ("DB_PASSWORD", "v"), define(password, "v"); not "md5", "password", "scram"
  ',': [
    { quoted: true, follows: '`', after: ANY, sure: 'nothing' },
    // the secret itself before its salt: pbkdf2('password', 'salt')
    { quoted: true, before: DERIVES, after: ANY, sure: 'nothing' },
    {
      quoted: true,
      before: upTo(`${QUOTE}${SPACE},${SPACE}${QUOTE}`),
      after: at(`${ARGUMENT}(?!${LITERAL}\\))`),
      sure: 'nothing',
    },
    { quoted: true, name: VARIABLE, after: at(ARGUMENT), sure: 'literal' },
    { quoted: true, before: upTo(`values ?\\(${QUOTE}`), after: at(ARGUMENT), sure: 'literal' },
    {
      quoted: true,
      before: upTo(`(?<![\\w])${PUTS}\\(${QUOTE}`),
      after: at(ARGUMENT),
      sure: 'given',
    },
    { quoted: true, after: at(ARGUMENT), sure: 'code' },
    { quoted: true, after: ANY, sure: 'nothing' },
    { before: upTo('(?:define|str[nl]?cpy)\\('), after: at(`${GAP},${SPACE}(?=${QUOTE})`), sure: 'literal' },
    { after: ANY, sure: 'nothing' },
  ],
  ')': [{ after: ANY, sure: 'nothing' }],
  // set_password("v"), PASSWORD('v')
  '(': [
    { name: READS, after: ANY, sure: 'nothing' },
    { name: CAPITALS, after: CALL, sure: 'literal' },
    { name: WRITES, after: CALL, sure: 'given' },
    { follows: '.', after: CALL, sure: 'given' },
    { after: CALL, sure: 'code' },
    { after: ANY, sure: 'nothing' },
  ],
  // <password>v</password>, <key name="password">v</key>
  '>': [
    { quoted: true, after: at(ELEMENT), sure: 'setting' },
    { before: TAG, after: at(ELEMENT), sure: 'setting' },
    { after: /^>/, sure: 'nothing' },
  ],
  // <key>password</key> <string>v</string>
  '<': [
    { after: at(`${GAP}</[^>\\0]{0,80}>${GAP}:?${SPACE}<[a-z][^>\\0]{0,80}`, ELEMENT), sure: 'setting' },
    { after: at(GAP, '</'), sure: 'nothing' },
  ],
  // a type: "password" | "text"; a template: {{ .Values.password | b64enc }}
  '|': [
    { quoted: true, after: at(GAP, '\\| '), sure: 'nothing' },
    { before: upTo('\\{[{%][^\\0-\\x1f]{0,78}'), after: ANY, sure: 'nothing' },
  ],
  // a value alone in the line behind that of its label; the path of a file is none
  '\n': [
    {
      before: /(?:^|\n)$/,
      of: 'password',
      after: at(`${SPACE}(?=${TOKEN}{1,127}(?:[\\0-\\r]|$))(?!(?=${TOKEN}*/)${TOKEN}*[._])`),
      sure: 'line',
      isStrong: true,
    },
    {
      of: 'others',
      after: at(`${SPACE}(?=${TOKEN}{16,127}(?:[\\0-\\r]|$))(?!(?=${TOKEN}*/)${TOKEN}*[._])`),
      sure: 'code',
    },
    { after: ANY, sure: 'nothing' },
  ],
};

/** Literals that stand in when a reference has no value, or that a call wraps: String::from("v"), getenv("X", "v"), env.X || "v". */
const FALLBACKS: readonly Syntax[] = [
  {
    after: at(
      ASSIGN,
      // no filter of a template: {{ db_password | password_hash('sha512') }}
      `(?![\\s"'\\\\]{0,4}\\{\\{)[^;,\\0-\\x1f]{0,80}?(?:(?<!\\w)${WRAPS}\\((?!${ENCODING})|(?: \\|\\|| \\?\\?| or) )(?=${QUOTE})`,
    ),
    sure: 'given',
  },
  {
    after: at(ASSIGN, `[^;,\\0-\\x1f]{0,80}?(?<!\\w)${DEFAULTS}\\(${LITERAL}, ?(?=${QUOTE})`),
    sure: 'given',
  },
];

/** The syntaxes with an operator: x = v, x: v, "x" => "v". */
export const ASSIGNED: readonly Syntax[] = [
  // <b>Password:</b> v
  { after: at(COLON, `</[a-z]{1,6}>${SPACE}`), sure: 'setting' },
  // the verdict of a test, PASS: gdb.base/a.exp: up; behind the name of an account it is a password
  { name: /^PA..$/, before: /(?:^|\n)$/, after: at(COLON, `(?:${TOKEN}*/|${TOKEN}+ )`), sure: 'nothing' },
  {
    name: /^PA..$/,
    before: /(?:^|\n) *(?:user|username|login|quote user)[ :][^\n]*\n$/i,
    after: at(COLON),
    sure: 'line',
  },
  { name: /^PA..$/, before: /(?:^|\n)$/, after: at(COLON), sure: 'line', isStrong: true },
  // a variable is read: -v $PWD:/app, PASSWORD :'app_password' in psql
  { follows: '$', after: at(COLON), sure: 'nothing' },
  { after: /^ +:'[a-z_]+'/, sure: 'nothing' },
  // the branch of a conditional: a ? "password" : "text"
  { before: upTo(`\\? *${QUOTE}`), after: at(COLON), sure: 'nothing' },
  // a type: !!str v, : &str = "…", : Optional[str] = "…"; not !vault, !Ref
  { after: at(COLON, `!!${TOKEN}* `), sure: 'literal' },
  { after: at(COLON, '![a-z]'), sure: 'nothing' },
  { after: at(COLON, "[\\w&'*,.<>?[\\]|:][\\w &'*,.<>?[\\]|:]{0,47} = "), sure: 'literal' },
  // a block of YAML: |, >-
  { after: at(COLON, `[|>][-\\d]*(?=[\\r\\n])${SPACE}`), sure: 'literal' },
  // "adminPassword": {"value": "v"}
  {
    after: at(
      COLON,
      `\\{${SPACE}(?:${QUOTE}(?:value|default)${QUOTE}|(?:value|default)):${SPACE}(?=${QUOTE})`,
    ),
    sure: 'literal',
  },
  { after: at(COLON, '\\n'), sure: 'nothing' },
  // auth=('bob', 'secret')
  {
    name: /^auth$/i,
    after: at(ASSIGN, `[([]${LITERAL}, ?(?=${QUOTE})`),
    sure: 'literal',
    isPassword: true,
    or: 'next',
  },
  // authorization=[Bearer …]
  { after: at(ASSIGN, `(?:\\[(?=(?:bearer|basic|token) ))?(?=.?${QUOTE})`), sure: 'literal', or: FALLBACKS },
  // NAME=value
  {
    after: at(OPERATOR, '(?<!:)(?:\\[(?=(?:bearer|basic|token) ))?(?![ \\t])'),
    sure: 'setting',
    or: FALLBACKS,
  },
  // /password:v, -H "X-Db-Password: v"
  { follows: '/', after: at(COLON), sure: 'flag', or: FALLBACKS },
  { name: /^x-/i, before: upTo(QUOTE), after: at(COLON), sure: 'setting', or: FALLBACKS },
  { after: at(COLON), sure: 'line', or: FALLBACKS },
  // at the beginning of a text, and in a section of an INI file: [client]
  {
    before: /(?:^|(?:^|\n)\[(?!\[)[^\n]*\]\n(?:[^\n]*\n)*) {0,60}$/,
    after: at(ASSIGN),
    sure: 'line',
    or: FALLBACKS,
  },
  { after: at(ASSIGN), sure: 'code', or: FALLBACKS },
];

/** The assignments whose operator may be an equals sign alone. */
export const BEHIND_EQUALS: readonly Syntax[] = ASSIGNED.filter(({ after }) => !after.source.includes(COLON));

/** The syntaxes without an operator behind "pass" and the like, which are verbs more often than names: <pass realm="a">v</pass>. */
export const AFTER_VERB: readonly Syntax[] = [WITH_ATTRIBUTES];

/** The syntaxes in which only spaces part the value from its label. */
export const FOLLOWING: readonly Syntax[] = [
  // the help of a program: --password   force password prompt
  { name: /^-/, after: /^[ \t]{2,32}[A-Za-z]+ [A-Za-z]/, sure: 'nothing' },
  { follows: '-', after: /^[ \t]{2,32}[A-Za-z]+ [A-Za-z]/, sure: 'nothing' },
  { after: /^[ \t]{1,32}[-\xff] /, sure: 'told' },
  { after: /^(?:[ \t]{0,32}-|[^ \t])/, sure: 'nothing' },
  // name="x" value="v", {name: x, value: v}, "x" { default = "v"
  {
    has: '=',
    after: at(`${GAP}[^>}[\\0]{0,160}?(?<![a-z0-9])(?:value|default|content) {0,16}=${SPACE}`),
    sure: ['literal', 'setting'],
    or: 'next',
  },
  WITH_ATTRIBUTES,
  // name type = "v", as in Go
  { has: ' = ', after: at(GAP, `(?:as )?[a-z0-9*.]{1,48} = (?=${QUOTE})`), sure: 'literal', or: 'next' },
];

/** Nouns behind the name of a password: what follows is said of that, and names none. */
export const NOUNS =
  'manager managers field fields prompt prompts reset resets hash hashes hashing policy policies authentication protection generator input form ' +
  'dialog file files store storage vault grant flow mode strength checker rule rules page box login auth attribute property column ' +
  'entry recovery encryption expiry expiration rotation complexity verification confirmation history change changes callback provider ' +
  'validation validator support access security credentials settings';
/** Words that go on with a sentence. */
export const CONNECTIVES = 'and or for from when is was in on of to if';
const VALUE = at(GAP);
const LITERAL_BEHIND = at(GAP, `(?=${QUOTE})`);
/** A value that is all that follows in its line. */
const LAST = at(GAP, `(?=${TOKEN}{1,127}(?:[\\r\\n]|$))`);

/** The same where the words and signs around tell the value: commands, routers, settings. */
export const STATED: readonly Syntax[] = [
  // a variable is read: X=$PASSWORD ./run
  { follows: '$', after: ANY, sure: 'nothing' },
  // aws configure set aws_secret_access_key v
  { follows: 'configure set ', after: VALUE, sure: 'flag', isAny: true },
  // PASSWORD 'v', --password "v", {:password "v"}, OPTIONS (user 'bob', password 'v')
  { name: /^[^a-z]+$|^-|._/, after: LITERAL_BEHIND, sure: 'literal' },
  { before: /-$|(?:^|[\s{[(,])(?::|:[\w.-]{1,48}\/)$/, after: LITERAL_BEHIND, sure: 'literal' },
  { before: /(?:^|\n)mysqladmin [^\n]*$/, after: LITERAL_BEHIND, sure: 'literal' },
  { before: /(?:\(|,.)$/, after: at(GAP, "(?='[^'\\0-\\x20]{1,62}'[),])"), sure: 'literal' },
  { after: LITERAL_BEHIND, sure: 'quoted' },
  // enable secret v, password 0 v; not a sentence
  { follows: 'enable ', after: at(GAP, '[07] '), sure: 'flag', isAny: true },
  { after: at(GAP, '[07] '), sure: 'flag' },
  {
    follows: 'enable ',
    before: /(?:^|[^ ])enable $/i,
    after: at(GAP, `(?!${oneOf(`${NOUNS} ${CONNECTIVES}`)}(?![a-z0-9]))`),
    sure: 'flag',
    isAny: true,
  },
  // a line of settings: requirepass v, ldap_bindpw v, and below the line that names an account
  {
    name: /._|^(?:requirepass|masterauth|bindpw|rootpw)$/i,
    before: /(?:^|\n) *$/,
    after: LAST,
    sure: 'flag',
  },
  { before: /(?:^|\n) *(?:quote user|user|username|login)[ :][^\n]{0,70}\n *$/i, after: LAST, sure: 'flag' },
];

/** The syntaxes whose value needs no quotes. */
export const UNQUOTED: readonly Syntax[] = STATED.filter(({ after }) => after !== LITERAL_BEHIND);

/** The same behind what sentences say: username bob, password letmein; мой пароль letmein; --password v, PGPASSWORD v. */
export const SAID: readonly Syntax[] = [
  {
    before: /(?<![a-z0-9])(?:user|username|login|account) [^\0-\x20]{1,32}(?: and |, )$/i,
    after: VALUE,
    sure: 'sentence',
  },
  { name: /[\x80-\xbf]$/, after: at(GAP, '(?=[a-z])'), sure: 'sentence' },
  { name: /^-|^(?=[A-Z])(?=.*_)[^a-z]+$/, after: VALUE, sure: 'flag' },
  { before: /-$|(?:^|\n)(?:machine|nmcli) [^\0]*$/, after: VALUE, sure: 'flag' },
  { after: VALUE, sure: 'bare' },
];

/** Values that a command keeps under a path that ends with the label: consul kv put app/db/password v, --name /app/token --value v. */
export const STORED: readonly Syntax[] = [
  {
    before: upTo(` (?:put|set|mk|create|update|upsert) ${QUOTE}?[^\\0-\\x20"'\`]{0,127}/`),
    after: at(`${QUOTE}? +(?![-@])`),
    sure: 'flag',
  },
  {
    before: upTo(`(?:--name|--key|--secret-id|--secret-name)[ =]${QUOTE}?[^\\0-\\x20"'\`]{0,127}/`),
    after: at(`${QUOTE}?(?= )[^\\0-\\x1f]{0,80}?(?<= )(?:--value|--secret-string|--data)[ =]`),
    sure: 'argument',
  },
];
