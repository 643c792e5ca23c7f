/** Words that make up values which only stand for a secret: `my-secret-password`, `testToken123`. */
const FILLER_WORDS = new Set(
  (
    'my your our his her their the a an some any new old user users username test tests testing tester example examples sample dummy fake demo mock ' +
    'secret secrets super password passwords passwd pass pwd pw passphrase passcode token tokens key keys api db database here ' +
    'change me this that value values string text strong secure foo bar baz qux name placeholder auth access private public client real not ' +
    'bearer basic master current confirm wrong invalid correct valid right bad good plain hashed hash encrypted random abc xyz ' +
    'default empty null none redacted hidden masked enter insert replace with of for to in is and or type long very really ' +
    'does doesnt not exist exists nonexistent ignored unused whatever something anything irrelevant ' +
    'top awesome fallback used generate keyboard cat own another ' +
    'proxy credential credentials login signin field input label required optional passwort kennwort contrasena clave senha mot de passe ' +
    'wachtwoord haslo parola lozinka heslo salasana losenord adgangskode sifre md sha hmac aes rsa pem jwt oauth'
  ).split(' '),
);
const MAX_WORD = 11;
const MAX_LENGTH = 48;
/** Digits that count up, as they are appended to make a placeholder longer. */
const COUNTED = '1234567890';

/** A purpose in place of the value: password-for-30001, token_for_tests. */
const PURPOSE =
  /^(?:[a-z]{2,8}[-_ ])?(?:password|passwd|secret|token|key)[-_ ]for(?:[-_ ](?:[a-z]{1,16}\d?|\d{1,8}))+$/i;

/** Whether a value is made of nothing but words that stand for a secret, and digits that count up; or says what it is for. */
export function isFiller(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (PURPOSE.test(text)) return true;
  const lower = text.toLowerCase();
  // positions that words, digits or separators lead to
  const reached = new Uint8Array(lower.length + 1);
  reached[0] = 1;
  for (let i = 0; i < lower.length; i++) {
    if (reached[i] === 0) continue;
    const c = lower.charCodeAt(i);
    if (isDigit(c)) reached.fill(1, i + 1, afterDigits(lower, i) + 1);
    else if (c < 128 && !(c >= 97 && c <= 122)) reached[i + 1] = 1;
    else reachByWords(lower, i, reached);
  }
  return reached[lower.length] === 1 && (lower.length < 16 || /[a-z]/.test(lower));
}

/** Where digits that count up end, or a digit alone; `at` for any other digits. */
function afterDigits(lower: string, at: number): number {
  let end = at;
  while (end < lower.length && lower.charAt(end) === COUNTED.charAt(end - at)) end++;
  if (end > at) return end;
  return isDigit(lower.charCodeAt(at + 1)) || isDigit(lower.charCodeAt(at - 1)) ? at : at + 1;
}

function reachByWords(lower: string, at: number, reached: Uint8Array): void {
  for (let size = 1; size <= MAX_WORD && at + size <= lower.length; size++)
    if (FILLER_WORDS.has(lower.slice(at, at + size))) reached[at + size] = 1;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** The word itself, in the languages of forms. */
const NAMED =
  /passwor|kennwor|passwd|mot de passe|contrase|senha|wachtwoord|has[l\u0142]o|l[\u00f6o]senord|salasana|adgangskode|parol|jelsz|heslo|\u015fifre|\u043f\u0430\u0440\u043e\u043b\u044c|\u03ba\u03c9\u03b4\u03b9\u03ba|\u30d1\u30b9\u30ef\u30fc\u30c9|\u5bc6[\u7801\u78bc]|\ube44\ubc00\ubc88\ud638|\uc554\ud638|\u0643\u0644\u0645\u0629/iu;

/** A capital, then three words or more of which one has none: messages under `pass`, rules under `password`. */
const LONG_SENTENCE = /^\p{Lu}(?=.*\s\p{Ll}+\s\p{Ll})\S*(?:\s+\S+){3}/u;
const SENTENCE = /^\p{Lu}(?=.*\s\p{Ll})\S*\s+\S+\s+\S/u;

/** Syllables between other signs: Japanese, which is no password but a text about one. */
const JAPANESE = /\p{Script=Hiragana}.{0,24}[\p{Script=Han}\p{Script=Katakana}].*\p{Script=Hiragana}/u;

/** Five ideographs, two words of a script without capitals, Korean's end of a sentence: nobody types a password so. */
const NATIVE_TEXT =
  /^(?!.*\d)(?:.*\p{Script=Han}{5}|.*\p{Script=Han}{2}.*\s\S|.*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}].*\s\S|.*\p{Script=Hangul}\ub2e4\.?$)/u;
/** Verbs between two words. Word lists for passphrases do not contain them. */
const VERB =
  /\S\s(?:is|are|has|have|does|not|ist|sind|hat|est|sont|es|son|\u00e8|sono|\u00e4r|\u00e9|jest|s\u0105)\s\S/u;

/** Whether the text under the key of a password is a sentence, or names or asks for one, as forms and their translations do. */
export function isCaption(text: string): boolean {
  if (LONG_SENTENCE.test(text)) return true;
  if (isTalk(text) || JAPANESE.test(text) || NATIVE_TEXT.test(text) || VERB.test(text)) return true;
  if (/[\d_@#$%^&+=<>{}]/.test(text)) return false;
  if (SENTENCE.test(text)) return true;
  if (!NAMED.test(text)) return false;
  return /[\s:?!\u2026]|^[^\0-\x7f]/.test(text) || isFiller(withoutMarks(text));
}

/** A text with the letters that accents and strokes make of others as those. */
function withoutMarks(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u0141\u0142]/g, 'l')
    .replace(/[\u00d8\u00f8]/g, 'o')
    .replace(/\u0131/g, 'i');
}

/** Whether a literal beside the name of a password is what a form calls one in some language: `"password": "Пароль"`. */
export function isTranslation(text: string): boolean {
  return !/[\d_@#$%^&+=<>{}]/.test(text) && NAMED.test(text) && isCaption(text);
}

/** Words of the shortest talk. */
const MIN_TALK = 6;

/** Whether many words, short ones or ones with accents among them, are no passphrase: those are drawn from lists without any. */
function isTalk(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    words.length >= MIN_TALK &&
    !/\d/.test(text) &&
    words.some((word) => word.length < 3 || /[^\0-\x7f]/.test(word))
  );
}

/** Words after "the password is" and the like that say something of it and are none. */
const SAID_OF = new Set(
  (
    'required invalid incorrect wrong too not set stored hashed encrypted optional missing empty valid correct expired changed weak ' +
    'strong the a an in on for your my being used needed blank hidden visible never always only also now still already just ok okay ' +
    'safe secure unsafe insecure unknown known shown sent kept saved reset same different long short good bad fine it that what ' +
    'this there here necessary mandatory available unavailable supported unsupported allowed case plain null undefined none true false ' +
    'provided given generated created valid. more less at least by to of as if when where and or but with without from until so ' +
    'errata errato scaduta corretta corretto necessaria obbligatorio caducada correcta correcto necesaria corta expire valide trop zu court incorrecta juist ' +
    'onjuist verlopen nodig wymagane wymagany niepoprawne fel felaktigt ugyldig forkert vaara yanlis hatali spatne sbagliato obligatoria ' +
    'entered typed matched secret public private random unique default masked obligatoire requis invalide incorrecte falsch ungültig ' +
    'erforderlich leer richtig nicht incorrecta requerida obligatoria errada obrigatoria sbagliata obbligatoria onjuist verplicht ' +
    'command commands mechanism mechanisms method methods failure failures error errors support extension header response ' +
    'files compat ldap strings numbers booleans objects buffers arrays define undef ' +
    'option options argument arguments flag flags parameter parameters setting settings ' +
    'string number boolean object array text integer any str bool int date email byte bytes char varchar'
  ).split(' '),
);
const PARTICIPLE =
  /(?:ed|ing|able|ible|ive|ous|ful|less|ly|ized|ised|word|words|token|tokens|keys?|hash|auth)$/;

/** Whether a word that can be nothing but a value, as the argument of a flag, can be a password: any letters, no placeholder. */
export function mayBeGivenPassword(text: string): boolean {
  if (text.length < 5 || text.length > 32 || !/^[a-z]+(?:-[a-z]+)*$/i.test(text)) return false;
  return !SAID_OF.has(text.toLowerCase()) && !isFiller(text);
}

/** Whether a word after the verb of a sentence can be a password: lower case, and no word of the language of forms. */
export function mayBePlainPassword(text: string): boolean {
  if (text.length < 5 || text.length > 32) return false;
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(text)) return false;
  return !SAID_OF.has(text) && !PARTICIPLE.test(text) && !isFiller(text);
}

/** Words in names of things, work and programs that are no part of a person's name, in lower case. */
const THINGS = new Set(
  (
    'account action actions add address admin agent alert alerts analytics api app application apps archive area article asset assets audit auth auto backend backup ' +
    'bank base basic batch beta big blog blue board book bot box branch brand browser budget build builder business button cache calendar call campaign card cart ' +
    'catalog category center centre chair channel chart chat check city class clean client clients cloud cluster code collection color colour command commit company ' +
    'component computer config configuration configure connection contact contacts container content control copy core corp count country coverage create created credit cron custom ' +
    'customer customers daily dark dashboard data database date day default delete delivery demo deploy deployment desktop details dev development device devices ' +
    'directory disable docker docs document documents domain download draft edit email employee enable endpoint engine entry environment error event events example export external ' +
    'factory feature feed field fields file files filter final first flow folder font form format forms foundation framework free frontend full function game gateway general ' +
    'generator get git global gmbh green group groups guide handler hash header health help hello home hook host hotel hub icon image images import inbox inc index info ' +
    'input install instance integration interface internal inventory invoice issue item items job jobs json key label lambda language last launch layer layout level library license light ' +
    'limit limited line link list lists llc load local location log login logs ltd machine mail main manager map market marketing master media meeting member members memory menu ' +
    'message messages meta method metrics migration mobile mode model module monitor monthly move name network new news newsletter next node note notes notification number office online ' +
    'open operator option options order orders org other output package packages page pages panel parser password payment payments phone pipeline plan plans platform player plugin plus ' +
    'policy pool port post premium preview price primary print private pro process processor product production products profile program project projects prompt provider proxy public ' +
    'publish push quarterly query queue quick random rate read record records red redirect region registry release remote remove render report reports repository request required research ' +
    'reset resource response restart restore result results retry review role roles room root route router rule rules run runner sales sample save scan schedule schema script search ' +
    'section secret security select send server service services session set setting settings setup shared shell shop show simple single site size smart source space spec stack staff ' +
    'stage staging standard start state static station status step stock stop storage store stream studio style subject summary support switch sync system table tag target task tasks ' +
    'team template templates terminal test tester testing tests text theme ticket time title token tool toolbox tools topic total tracking train training transfer trigger type update upload ' +
    'use user users utility value vendor version video view virtual voice wallet warehouse web webhook website week weekly welcome widget window wiki work worker workflow workspace world write ' +
    'xml yaml yearly year zone monday tuesday wednesday thursday friday saturday sunday january february july september october november december spring summer autumn winter and or of the for with to in on'
  ).split(' '),
);
const WORD = /[\p{L}\p{M}]+/gu;

/** Whether any word of a name that nothing but its label calls one is that of a thing: Quarterly Report. */
export function isThing(name: string): boolean {
  for (const [word] of name.matchAll(WORD)) if (THINGS.has(word.toLowerCase())) return true;
  return false;
}
