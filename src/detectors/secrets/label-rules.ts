import { HASH_SEED, hashStep, hashWord } from '../context/hash.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, LOW_LINE_SIGN } from '../text/ascii.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt } from '../text/read.ts';
import { LabelEndings } from './label-endings.ts';
import { LabelWords } from './label-words.ts';
import { GLUED_WORDS, NATIVE_WORDS, WHOLE_WORDS } from './native-words.ts';
import { SERVICE_NAMES } from './service-names.ts';
import type { ValueKind } from './value-kind.ts';

export interface Label {
  tag: number;
  kind: ValueKind;
}

const SERVICES = `(?:${SERVICE_NAMES.join('|')})`;

type Rule = readonly [tag: string, kind: ValueKind, pattern: RegExp];

const NAMED =
  '(?:first|last|full|emp|fore|payee|student|pax|caller|signatory|visitor|resident|middle|given|family|maiden|sur|nick|display|legal|real|birth|customer|client|patient|employee|contact|holder|cardholder|account_holder|card_holder|applicant|recipient|sender|member|beneficiary|student|doctor|physician|owner|guardian|spouse|mothers|fathers|person|billing|shipping|insured|subscriber|father|mother|debtor|creditor|payer|tenant|guest|policyholder|driver|passenger|traveller|traveler|donor|claimant|nominee|witness|seller|buyer|lessee|landlord|parent|child|husband|wife|pupil|candidate|requester|requestor|attendee|user_full|dependent|emergency_contact|lead_guest)';
const QUALIFIED =
  '(?:api|access|auth|authentication|authorization|private|encryption|signing|session|refresh|bearer|client|app|application|account|license|consumer|service|deploy|deployment|webhook|master|shared|personal|bot|oauth|oauth2|id|jwt|user|admin|root|storage|security|integration|ingest|write|read|upload|live|test|prod|production|sandbox|server|sdk|rest|management|organization|org|team|project|developer|dev|public|subscription|ssh|rsa|hmac|crypto|aes|symmetric|registration|verification|device|push|feed|publish|registry|runner|pipeline|ci|host|rpc|merchant|partner|transaction|payment|routing|ingestion|instrumentation|site|widget)';

/**
 * Labels in order: the first that fits counts. They are matched against the words of a key or identifier, in lower
 * case, joined by `_`; all are anchored at the end, because the last words say what a value is.
 */
const RULES: readonly Rule[] = [
  [
    'PASSWORD',
    'password',
    /(?:^|_|db|user|my|root|admin|mail|smtp|mysql|pg)(?:password|passwd|passphrase|passcode|passwort|paswort|contrasena|senha|motdepasse|mot_de_passe|kennwort|wachtwoord|haslo|losenord(?:et)?|salasana(?:ni)?|sifre|heslo|adgangskoden?|passord(?:et)?|parola|lozinka|jelszo|jelszavam|parolam|sifrem|parool|palavra_passe|palavra_chave|parola_chiave|parola_d_ordine|mat_khau|kata_sandi|sifreniz|parole|slaptazodis|kodeord|mdp|wifi_?pass|passwords|passwoord|adgangskode|loesenord|jelszo|jelszava|heslem|hasla|hasle|kennwoerter|passwortes|wachtwoorden|contrasenia|contrasinal|contrasenya|pasahitza|pasword|pasvorto|sandi|zaporka|lozinku|gaslo|parolta|parolanin|sifreyi)(?:_value|_plain|_plaintext|_cleartext)?\d?$/,
  ],
  [
    'PASSWORD',
    'password',
    /(?:^|_)(?:pwd|pass|pw|pgpassword|pswd|passwrd|identified_by|storepass|keypass|passin|passout|userpass|dbpass|rootpass|adminpass|mysqlpass|smtppass|masterpass|clave|clave_de_acceso|requirepass|masterauth|sshpass|rootpw|bindpw|authtok|pragma_(?:re)?key|dbpw|psk|wpapsk|psksecret|clear_text|wpa2?_pre_shared_key|wpa_key|clave_wifi|clave_acceso|login_pw|pword|passwrt|bind_?pass|trust_?pass|(?:smb|ftp|ldap|ssh|mail|web|proxy|vpn|nas|http|login|svc|service|backup|repl|app|api|host|sql|ora|mongo|redis|jdbc|amqp|mqtt|imap|pop)pass(?:wd)?|key_?store_?pass|vnc_?pass|admin_?pw|db_?pw|user_?pw|snmp_community|community_string|wi_?fi_key|wlan_key|network_key|root_?pw|mail_?pw|email_pw)$/,
  ],
  [
    'AWS_SECRET_KEY',
    'secret',
    /(?:^|_)(?:aws.*secret.*key|secret_?access_?key|aws_secret|awssecretaccesskey|secretaccesskey)$/,
  ],
  ['API_KEY', 'token', /(?:^|_)(?:b2|backblaze)_(?:account|application)_key(?:_id)?$/],
  [
    'AZURE_SECRET',
    'secret',
    /(?:^|_)(?:azure.*(?:secret|key|token|pat)|accountkey|account_key|shared_?access_?key|sharedaccesskey|storage_?key|sas_?token|ocp_apim_subscription_key)$/,
  ],
  [
    'API_KEY',
    'token',
    /(?:^|_)(?:clave|cle|chave|chave_de|clave_de|cle_d|klucz|chiave|klic|chiave_d)_api$|(?:^|_)api_(?:clave|schluessel|schlussel|nyckel|sleutel|nokkel|kulcs|anahtari|avain)$/,
  ],
  ['TWILIO_KEY', 'secret', /(?:^|_)twilio.*(?:token|secret|key|sid)$/],
  [
    'API_KEY',
    'service',
    new RegExp(
      `(?:^|_)${SERVICES}(?:_(?:\\w+_)?(?:key|token|pat|secret|credentials?)|key|token|secret|apikey)s?$`,
    ),
  ],
  ['API_KEY', 'token', new RegExp(`(?:^|_)${QUALIFIED}_?(?:key|token)s?(?:_id)?\\d?$`)],
  [
    'API_KEY',
    'token',
    /(?:^|_)(?:apikey|apitoken|accesstoken|authtoken|token|bearer|authorization|auth|pat|appkey|authkey|licensekey|accesskey|dsn|x_api_key|x_auth_token)s?\d?$/,
  ],
  ['API_KEY', 'token', new RegExp(`(?:^|_)${SERVICES}_(?:\\w+_)?(?:id|sid|client|app|account|webhook)s?$`)],
  [
    'GENERIC_SECRET',
    'secret',
    /(?:^|_)(?:secret|clientsecret|appsecret|secret_?key|secretkey|secret_?token|private_?key|privatekey|credentials?|creds|signature_key|salt|cookie|pre_?shared_?key|session_?id|sessionid|connect_?sid|webhook_?url|webhook_secret|secret_key_base|pepper|gitlab_session|contribsys_com|jsessionid|phpsessid|laravel_session|rack_session|express_sid|cookie_secret|encryptionkey|signingkey|passkey)s?\d?$/,
  ],
  ['PERSON', 'person', new RegExp(`(?:^|_)${NAMED}_?names?$`)],
  [
    'PERSON',
    'person',
    /^(?:surname|fullname|firstname|lastname|vorname|nachname|familienname|nom|nom_de_famille|prenom|nombres?|apellidos?|primer_apellido|segundo_apellido|nombre_completo|nome|cognome|nome_completo|sobrenome|naam|voornaam|achternaam|imie|nazwisko|imie_i_nazwisko|fornamn|efternamn|fornavn|etternavn|efternavn|etunimi|sukunimi|jmeno|krestni_jmeno|prijmeni|priezvisko|meno|keresztnev|vezeteknev|ad_soyad|soyad|soyadi|adi_soyadi|nume|prenume|given|family|middle_name|patient_name|next_of_kin|beneficiary|payee|holder|inhaber|kontoinhaber|titular|titulaire|intestatario|cardholder|patient|insured|ho_ten|ho_va_ten|hoten|nama|nama_lengkap|name_on_(?:the_)?card|name_as_in_passport|attn|ansprechpartner(?:in)?|persona_de_contacto|persona_contacto|contatto|nome_e_cognome|nombre_y_apellidos?|nombre_apellidos?|apellido_paterno|apellido_materno|segundo_nombre|primer_nombre|nom_complet|nom_et_prenom|nom_prenom|nom_de_naissance|nome_proprio|apelido|ultimo_nome|primeiro_nome|volledige_naam|tussenvoegsel|voorletters|geburtsname|fulde_navn|fullstandigt_namn|fullt_navn|navn|namn|kokonimi|teljes_nev|nume_complet|nume_prenume|jmeno_a_prijmeni|cele_jmeno|meno_a_priezvisko|priimek|vards|uzvards|vardas|pavarde|eesnimi|perekonnanimi|ad_soyad|onoma|eponymo|onomateponymo|nama_depan|nama_belakang|firstname_lastname|mieter|mieterin|versicherter)$/,
  ],
  [
    'STREET_ADDRESS',
    'address',
    /(?:^|_)(?:(?:street|home|mailing|postal|billing|shipping|residential|delivery|physical|work|permanent|current|customer|patient|legal)_?addresse?s?(?:_?line)?_?\d?|address_?(?:line)?_?\d?|addr_?\d?|street(?:_name)?|street_?\d|primary_line|postadres|strass?e|adresse|anschrift|domicilio|direccion|calle|indirizzo|via|adres|ulica|endereco|morada|rua|straat|osoite|adresa|cim|dia_chi|alamat|lakcim|adress|gatuadress|bostadsadress|hemadress|gateadresse|hjemmeadresse|bopel|vejnavn|gadenavn|bydlisko|utca|adresi|ev_adresi|acik_adres|logradouro|endereco_completo|endereco_residencial|residencia|residenza|indirizzo_di_residenza|indirizzo_residenza|wohnanschrift|wohnhaft|wohnadresse|rechnungsadresse|lieferadresse|postanschrift|woonadres|straatnaam|adres_zamieszkania|adres_domowy|direccion_postal|direccion_completa|alamat_rumah|alamat_lengkap|dia_chi_nha|diachi|katuosoite|kotiosoite|strada|adresa_de_domiciliu|aadress|adrese|adresas|naslov)$/,
  ],
  [
    'ICD10_CODE',
    'icd10',
    /(?:^|_)(?:icd(?:_?10)?(?:_?cm)?(?:_?codes?)?|diagnos[ie]s(?:_?codes?)?|dx(?:_?codes?)?)$/,
  ],
  [
    'USERNAME',
    'username',
    /(?:^|_)(?:user_?name|user_?login|login_?name|screen_?name|login|benutzername|benutzerkennung|nom_utilisateur|nom_d_utilisateur|nombre_usuario|nombre_de_usuario|nome_utente|nome_de_usuario|nome_de_utilizador|gebruikersnaam|anvandarnamn|brugernavn|brukernavn|kayttajatunnus|kayttajanimi|uzivatelske_jmeno|nazwa_uzytkownika|felhasznalonev|kullanici_adi|nama_pengguna|ten_dang_nhap)$/,
  ],
  [
    'SEED_PHRASE',
    'seed',
    /(?:^|_)(?:mnemonic|(?:seed|recovery|backup|wallet|mnemonic)_?(?:phrase|words)|seed)$/,
  ],
  ['BIC_SWIFT', 'bic', /(?:^|_)(?:bic|swift|bic_?swift|swift_?bic|swift_?code|bic_?code|swiftcode|biccode)$/],
  [
    'MRN',
    'identifier',
    /(?:^|_)(?:mrn|medical_?record(?:_?(?:number|no|id))?|patient_?(?:id|number|no)|chart_?number)$/,
  ],
  [
    'HEALTH_PLAN_ID',
    'identifier',
    /(?:^|_)(?:(?:health_?plan|insurance|subscriber|beneficiary|medicaid|insurance_?member|insurance_?policy|health_?insurance)_?(?:id|number|no)|member_?(?:number|no)|policy_?holder_?id|member_?id|insurance_?policy)$/,
  ],
  [
    'US_BANK_NUMBER',
    'identifier',
    /(?:^|_)(?:bank_?account(?:_?(?:number|no))?|account_?(?:number|no)|acct_?(?:number|no|num)?)$/,
  ],
  [
    'US_DRIVER_LICENSE',
    'identifier',
    /(?:^|_)(?:(?:drivers?|driving|s)_?licen[sc]e(?:_?(?:number|no|id))?|dl_?(?:number|no))$/,
  ],
  ['US_PASSPORT', 'identifier', /(?:^|_)passport(?:_?(?:number|no|id))?$/],
];

/** Words that say the value is a place in a list, a form field or a rule, not a secret. */
const HARMLESS =
  /(?:^|_)(?:next|page|continuation|sync|cursor|max|min|num|count|total|used|prompt|completion|input|output|cached|reset|forgot|show|has|is|hide|require|enable|public|primary|foreign|sort|partition|row|cache|idempotency|start|end|change|client_request|dkim|confirm_text|csrf_field|cancellation|design|syntax|stop|eos|bos|pad|mask|unk|sep|cls)_(?:\w*_)?(?:tokens?|keys?|password|pass|auth)$|_(?:type|types|count|hint|policy|name|url|uri|path|length|expiry|expires|expires_in|at|ttl|id_field)$/;

const rules = RULES.map(([tag, kind, pattern]) => ({ label: { tag: tagId(tag), kind }, pattern }));
const PEOPLE = new Set(['person', 'address', 'username']);

export const labelWords = new LabelWords([...RULES.map(([, , pattern]) => pattern), HARMLESS]);

/** The number of an insurance that is that of a citizen, which is a kind of its own. */
const CITIZENS = /(?:national|social)_insurance/;

/** The label that these words are, joined by `_`. */
function labelOf(words: string): Label | null {
  const fitting = labelEndings.patternsOf(words);
  if (CITIZENS.test(words)) return null;
  let isHarmless: boolean | null = null;
  for (let k = 0; k < rules.length; k++) {
    if (((fitting >> k) & 1) === 0) continue;
    const { label, pattern } = rules[k] as (typeof rules)[number];
    if (!pattern.test(words)) continue;
    if (PEOPLE.has(label.kind)) return label;
    isHarmless ??= HARMLESS.test(words);
    if (!isHarmless) return label;
  }
  return null;
}

/** The words of a key in lower case, joined by `_`: they begin after other signs and where a capital follows none. */
function snakeCase(key: string): string {
  let words = '';
  let before = 0;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    const isCapital = c >= 65 && c <= 90;
    const kind = isCapital ? 2 : (c >= 97 && c <= 122) || (c >= 48 && c <= 57) ? 1 : 0;
    if (kind !== 0) {
      if (words !== '' && (before === 0 || (isCapital && before === 1))) words += '_';
      words += isCapital ? String.fromCharCode(c + 32) : key.charAt(i);
    }
    before = kind;
  }
  return words;
}

const MAX_ASCII = 0x80;

function isAscii(key: string): boolean {
  for (let i = 0; i < key.length; i++) if (key.charCodeAt(i) >= MAX_ASCII) return false;
  return true;
}

/** The text of a key as the bytes of `Text` have it: without accents, other scripts by their own letters. */
export function foldedKey(key: string): string {
  if (isAscii(key)) return key;
  let folded = '';
  for (let i = 0; i < key.length; i++) folded += String.fromCharCode(byteAt(FOLD, key.charCodeAt(i)));
  return folded;
}

const nativeLabels = new Map<string, Label>();
for (const [tag, kind, words] of NATIVE_WORDS)
  for (const word of words.split(' ')) nativeLabels.set(foldedKey(word), { tag: tagId(tag), kind });

const GLUED = GLUED_WORDS.map(foldedKey);

/** What stands between a label and its value at times: the type of a variable, the name of the member beside. */
const BETWEEN = ['string', 'str', 'text', 'bytes', 'buffer', 'object', 'any', 'value'];
/** Words that are a label only as a whole key or the head of a column: many words of texts end alike. */
const wholeLabels = new Map<string, Label>();
for (const [tag, kind, words] of WHOLE_WORDS)
  for (const word of words.split(' ')) wholeLabels.set(word, { tag: tagId(tag), kind });

/** Letters of the shortest last word of those that are looked for in texts: shorter ones end many others, as does usage. */
const MIN_WHOLE = 4;
const isTelling = (word: string): boolean =>
  word.length - word.lastIndexOf('_') > MIN_WHOLE && !word.endsWith('usage') && word.length > MIN_WHOLE;

/** The parts of a name that are only called so: see `partOfName`. */
const PARTS = ['first', 'last'];
/** What is called so gives a user and a password: see `offeredPair`. */
const ACCESSES =
  'zugangsdaten anmeldedaten identifiants accesso acceso acesso inloggegevens credenciales credenziali credenciais logowania toegang zugang acces'.split(
    ' ',
  );
export const labelEndings = new LabelEndings(
  RULES.map(([, , pattern]) => pattern),
  [...nativeLabels.keys(), ...BETWEEN, ...[...wholeLabels.keys()].filter(isTelling), ...PARTS, ...ACCESSES],
);

/** The label of a key that has words of other scripts: the whole key, else its last or first word. */
function nativeLabel(key: string): Label | null {
  const words = key.replace(/[A-Z]/g, (c) => c.toLowerCase()).split(/[ _.:-]+/);
  const last = words[words.length - 1] ?? '';
  const glued = GLUED.find((word) => last.endsWith(word));
  if (glued !== undefined) return nativeLabels.get(glued) as Label;
  return (
    nativeLabels.get(words.join('_')) ?? nativeLabels.get(last) ?? nativeLabels.get(words[0] ?? '') ?? null
  );
}

/** The letters of these, by hash: tells most words of texts that they are none of them. */
const wholeHashes = new Set([...wholeLabels.keys()].map((word) => hashWord(word.replaceAll('_', ''))));

/** Whether the letters between two places may be those of such a label. */
export function mayBeWhole(b: Uint8Array, from: number, to: number): boolean {
  let hash = HASH_SEED;
  for (let i = from; i < to; i++) {
    const c = byteAt(b, i);
    if (c !== LOW_LINE_SIGN && c !== BLANK) hash = hashStep(hash, c);
  }
  return wholeHashes.has(hash);
}

/** What a whole key or the head of a column labels, beside what `readLabel` knows; null when it labels nothing. */
export function wholeLabel(key: string): Label | null {
  return key.length > MAX_WHOLE ? null : (wholeLabels.get(snakeCase(foldedKey(key))) ?? null);
}

const MAX_WHOLE = 24;

/** What an identifier labels, in the bytes of `Text`; null when it labels nothing. */
export function readLabel(key: string): Label | null {
  if (!isAscii(key)) return nativeLabel(key) ?? labelOf(snakeCase(key));
  return labelEndings.fitsKey(key) && !labelWords.isUnknown(key) ? labelOf(snakeCase(key)) : null;
}
