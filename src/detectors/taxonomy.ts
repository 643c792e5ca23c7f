/** How far a finding proves itself: by a checksum or vendor prefix, by its separators, or only by a word near it. */
export type Strength = 'checksum' | 'formatted' | 'bare';

export interface TagInfo {
  tag: string;
  /** Categories a finding of this tag adds, most general first. */
  categories: readonly string[];
  /** Off unless an integration turns it on. */
  optIn?: boolean;
}

const PII = ['PII'];
const FINANCIAL = ['FINANCIAL'];
const CREDENTIALS = ['CREDENTIALS'];
const PHI = ['PHI'];
const NETWORK = ['NETWORK'];

const groups: readonly (readonly [readonly string[], string])[] = [
  [
    PII,
    'EMAIL_ADDRESS PHONE_NUMBER US_SSN US_ITIN US_PASSPORT US_DRIVER_LICENSE UK_NINO CA_SIN AU_TFN AU_ABN',
  ],
  [
    PII,
    'ES_NIF ES_NIE IT_FISCAL_CODE PL_PESEL DE_TAX_ID FI_PERSONAL_IDENTITY_CODE SE_PERSONNUMMER SG_NRIC_FIN',
  ],
  [PII, 'IN_AADHAAR IN_PAN KR_RRN TR_NATIONAL_ID TH_TNIN ZA_ID_NUMBER BR_CPF FR_NIR NL_BSN'],
  [PII, 'DATE_OF_BIRTH PERSON STREET_ADDRESS'],
  [['FINANCIAL', 'PCI'], 'CREDIT_CARD'],
  [FINANCIAL, 'IBAN_CODE ABA_ROUTING_NUMBER US_BANK_NUMBER BIC_SWIFT CRYPTO'],
  [CREDENTIALS, 'AWS_ACCESS_KEY AWS_SECRET_KEY GITHUB_TOKEN GITLAB_TOKEN SLACK_TOKEN STRIPE_KEY OPENAI_KEY'],
  [CREDENTIALS, 'ANTHROPIC_KEY GCP_API_KEY AZURE_SECRET NPM_TOKEN PYPI_TOKEN HUGGINGFACE_TOKEN SENDGRID_KEY'],
  [CREDENTIALS, 'TWILIO_KEY JWT PRIVATE_KEY CONNECTION_STRING PASSWORD API_KEY GENERIC_SECRET'],
  [PHI, 'US_MBI US_NPI MEDICAL_LICENSE'],
  [['PHI', 'PII'], 'UK_NHS'],
  [PHI, 'MRN HEALTH_PLAN_ID ICD10_CODE'],
  [NETWORK, 'IP_ADDRESS MAC_ADDRESS'],
  [['SECURITY'], 'PROMPT_INJECTION'],
  [NETWORK, 'URL'],
];

const optIn = new Set(['PROMPT_INJECTION', 'URL']);

/** Every built-in tag, in the order findings are counted. */
export const taxonomy: readonly TagInfo[] = groups.flatMap(([categories, tags]) =>
  tags.split(' ').map((tag) => (optIn.has(tag) ? { tag, categories, optIn: true } : { tag, categories })),
);

const ids = new Map(taxonomy.map(({ tag }, id) => [tag, id]));

/** The number a tag has inside the scanner. Throws a RangeError on a name the taxonomy does not have. */
export function tagId(tag: string): number {
  const id = ids.get(tag);
  if (id === undefined) throw new RangeError(`no such tag: ${tag}`);
  return id;
}
