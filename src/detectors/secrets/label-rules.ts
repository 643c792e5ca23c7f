import { tagId } from '../taxonomy.ts';
import { mayEndLabel } from './label-endings.ts';
import { LabelWords } from './label-words.ts';

/** What a value under a label must be to count: any text, random-looking, a name, an address, a code. */
export type ValueKind =
  | 'password'
  | 'secret'
  | 'token'
  | 'person'
  | 'address'
  | 'icd10'
  | 'bic'
  | 'identifier';

export interface Label {
  tag: number;
  kind: ValueKind;
}

/** Services whose name before `key`, `id` or the like makes a random value their credential. */
const SERVICES =
  '(?:adafruit|adobe|airtable|algolia|asana|atlassian|auth0|beamer|bitbucket|bittrex|braintree|brevo|buildkite|circleci|cisco|clickhouse|clojars|cloudflare|cloudinary|codecov|cohere|coinbase|confluent|contentful|databricks|datadog|digitalocean|discord|doppler|droneci|dropbox|duffel|dynatrace|easypost|etsy|facebook|fastly|figma|finicity|finnhub|firebase|flickr|flutterwave|freshbooks|github|gitlab|gitter|gocardless|google|grafana|harness|heroku|hubspot|infracost|instagram|intercom|intra42|jfrog|jira|kraken|kucoin|launchdarkly|linear|linkedin|lob|mailchimp|mailgun|mandrill|mapbox|mattermost|maxmind|messagebird|mixpanel|netlify|newrelic|new_relic|notion|npm|nytimes|okta|openai|openweather|pagerduty|paypal|paystack|perplexity|plaid|planetscale|postman|postmark|prefect|privateai|pulumi|pusher|rapidapi|razorpay|readme|reddit|rubygems|salesforce|scalingo|segment|sendbird|sendgrid|sendinblue|sentry|shippo|shopify|slack|snowflake|snyk|sonar|sonarqube|sourcegraph|spotify|square|squarespace|stripe|sumologic|sumo|supabase|telegram|telnyx|travisci|travis|trello|twilio|twitch|twitter|typeform|vault|vercel|vonage|wakatime|yandex|zendesk|zoom)';

type Rule = readonly [tag: string, kind: ValueKind, pattern: RegExp];

const NAMED =
  '(?:first|last|full|middle|given|family|maiden|sur|nick|display|legal|real|birth|customer|client|patient|employee|contact|holder|cardholder|account_holder|card_holder|applicant|recipient|sender|passenger|guest|member|beneficiary|student|doctor|physician|owner|tenant|guardian|spouse|mothers|fathers|emergency_contact|person|billing|shipping|insured|subscriber)';
const QUALIFIED =
  '(?:api|access|auth|authentication|authorization|secret|private|encryption|signing|session|refresh|bearer|client|app|application|account|license|consumer|service|deploy|deployment|webhook|master|shared|personal|bot|oauth|oauth2|id|jwt|user|admin|root|storage|security|integration|ingest|write|read|upload|live|test|prod|production|sandbox|server|sdk|rest|management|organization|org|team|project|developer|dev|public|subscription|ssh|rsa|hmac|crypto|aes|symmetric|registration|verification|device|push|feed|publish|registry|runner|pipeline|ci|host|rpc|merchant|partner|transaction|payment)';

/**
 * Labels in order: the first that fits counts. They are matched against the words of a key or identifier, in lower
 * case, joined by `_`; all are anchored at the end, because the last words say what a value is.
 */
const RULES: readonly Rule[] = [
  [
    'PASSWORD',
    'password',
    /(?:^|_|db|user|my|root|admin|mail|smtp|mysql|pg)(?:password|passwd|passphrase|passcode|passwort|contrasena|senha|motdepasse|mot_de_passe|kennwort|wachtwoord)\d?$/,
  ],
  ['PASSWORD', 'password', /(?:^|_)(?:pwd|pass|pw|pgpassword|pswd|passwrd|identified_by)$/],
  [
    'AWS_SECRET_KEY',
    'secret',
    /(?:^|_)(?:aws.*secret.*key|secret_?access_?key|aws_secret|awssecretaccesskey|secretaccesskey)$/,
  ],
  [
    'AZURE_SECRET',
    'secret',
    /(?:^|_)(?:azure.*(?:secret|key|token|pat)|accountkey|account_key|shared_?access_?key|sharedaccesskey|storage_?key|sas_?token|ocp_apim_subscription_key)$/,
  ],
  ['TWILIO_KEY', 'secret', /(?:^|_)twilio.*(?:token|secret|key|sid)$/],
  ['API_KEY', 'token', new RegExp(`(?:^|_)${QUALIFIED}_?(?:key|token)s?(?:_id)?\\d?$`)],
  [
    'API_KEY',
    'token',
    /(?:^|_)(?:apikey|apitoken|accesstoken|authtoken|token|bearer|authorization|auth|pat|appkey|authkey|licensekey|accesskey|dsn|x_api_key|x_auth_token)s?\d?$/,
  ],
  [
    'API_KEY',
    'token',
    new RegExp(
      `(?:^|_)${SERVICES}_(?:\\w+_)?(?:key|id|sid|client|app|account|token|pat|secret|credentials?|webhook)s?$`,
    ),
  ],
  [
    'GENERIC_SECRET',
    'secret',
    /(?:^|_)(?:secret|clientsecret|appsecret|secret_?key|secretkey|secret_?token|private_?key|privatekey|credentials?|creds|signature_key|salt|cookie|session_?id|sessionid|connect_?sid|webhook_?url|webhook_secret|encryptionkey|signingkey|passkey)s?\d?$/,
  ],
  ['PERSON', 'person', new RegExp(`(?:^|_)${NAMED}_?names?$`)],
  [
    'PERSON',
    'person',
    /^(?:surname|fullname|firstname|lastname|vorname|nachname|nom|prenom|apellidos?|cognome|cardholder|patient|insured)$/,
  ],
  [
    'STREET_ADDRESS',
    'address',
    /(?:^|_)(?:(?:street|home|mailing|postal|billing|shipping|residential|delivery|physical|work|permanent|current|customer|patient|legal)_?addresse?s?(?:_?line)?_?\d?|address_?(?:line)?_?\d?|addr_?\d?|street(?:_name)?|strasse|adresse|direccion|indirizzo|adres|endereco)$/,
  ],
  [
    'ICD10_CODE',
    'icd10',
    /(?:^|_)(?:icd(?:_?10)?(?:_?cm)?(?:_?codes?)?|diagnos[ie]s(?:_?codes?)?|dx(?:_?codes?)?)$/,
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
  /(?:^|_)(?:next|page|continuation|sync|cursor|max|min|num|count|total|used|prompt|completion|input|output|cached|reset|forgot|show|has|is|hide|require|enable|public|primary|foreign|sort|partition|row|cache|idempotency|start|end|change|confirm_text|csrf_field|cancellation|design|syntax|stop|eos|bos|pad|mask|unk|sep|cls)_(?:\w*_)?(?:tokens?|keys?|password|pass|auth)$|_(?:type|types|count|hint|policy|name|url|uri|path|length|expiry|expires|expires_in|at|ttl|id_field)$/;

const rules = RULES.map(([tag, kind, pattern]) => ({ label: { tag: tagId(tag), kind }, pattern }));
const PEOPLE = new Set(['person', 'address']);

/** All rules in one: most words label nothing, and one look tells. */
const ANY = new RegExp(RULES.map(([, , pattern]) => pattern.source).join('|'));

export const labelWords = new LabelWords([...RULES.map(([, , pattern]) => pattern), HARMLESS]);

/** The label that these words are, joined by `_`. */
function labelOf(words: string): Label | null {
  if (!ANY.test(words)) return null;
  const harmless = HARMLESS.test(words);
  for (const { label, pattern } of rules) {
    if (pattern.test(words) && !(harmless && !PEOPLE.has(label.kind))) return label;
  }
  return null;
}

/** Whether the last letters of a key are those of any label: saves most keys the rules. */
function mayLabel(key: string): boolean {
  let end = key.length;
  while (end > 2 && !/[a-z]/i.test(key.charAt(end - 1))) end--;
  return mayEndLabel(key.charCodeAt(end - 2), key.charCodeAt(end - 1));
}

const SNAKE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** The words of a key in lower case, joined by `_`. */
function snakeCase(key: string): string {
  if (SNAKE.test(key)) return key;
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/** What a key or an identifier labels; null when it labels nothing. */
export function readLabel(key: string): Label | null {
  return mayLabel(key) ? labelOf(snakeCase(key)) : null;
}
