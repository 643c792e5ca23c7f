import { tagId } from '../taxonomy.ts';
import * as A from './alphabet.ts';

/** A token that its first characters give away. */
export interface VendorToken {
  tag: number;
  prefix: string;
  /** Alphabet of what follows the prefix, and how much of it there is. */
  alphabet: number;
  min: number;
  max: number;
  /** Whether the prefix is letters only, which base64 has by chance: then it must not stand inside such a text. */
  isFaint: boolean;
  /** Whether the prefix is so short that names in code begin with it: then there are capitals, as in any drawn text. */
  isShort: boolean;
}

const ALPHABETS: Readonly<Record<string, number>> = {
  hex: A.LOWER_HEX,
  Hex: A.ANY_HEX,
  upper: A.UPPER_DIGIT,
  lower: A.LOWER_DIGIT,
  alnum: A.ALPHANUMERIC,
  word: A.WORD,
  url: A.BASE64_URL,
  base64: A.BASE64,
  dot: A.DOTTED,
};

/**
 * Prefixes, alphabet and length of what follows them. Where a format is documented, and which ones were only seen in the
 * field, says the table of vendor tokens in docs/data-tags.md.
 */
const ROWS: readonly string[] = [
  'AWS_ACCESS_KEY AKIA,ASIA,ABIA,ACCA upper 16',
  'GITHUB_TOKEN ghp_,gho_,ghu_,ghs_,ghr_ word 36-251',
  'GITHUB_TOKEN github_pat_ word 82',
  'GITLAB_TOKEN glpat-,gldt-,glrt-,glrtr-,glptt-,glft-,glsoat-,glimt-,glagent-,gloas-,glcbt-,glffct-,glwt- dot 20-64',
  'GITLAB_TOKEN GR1348941 url 20',
  'SLACK_TOKEN xoxb-,xoxp-,xoxa-,xoxr-,xoxs-,xoxo-,xoxe-,xapp-,xoxe.xoxb-,xoxe.xoxp-,xoxd- url 20-300',
  'STRIPE_KEY sk_live_,sk_test_,rk_live_,rk_test_,sk_prod_,rk_prod_ alnum 10-247',
  'STRIPE_KEY whsec_ base64 24-80',
  'ANTHROPIC_KEY sk-ant-api03-,sk-ant-admin01-,sk-ant-oat01-,sk-ant-sid01- url 80-120',
  'OPENAI_KEY sk-proj-,sk-svcacct-,sk-admin-,sk-None- url 40-200',
  'OPENAI_KEY sk- alnum 48',
  'API_KEY sk- hex 32',
  'API_KEY sk_ hex 48',
  'API_KEY pat dot 79',
  'GCP_API_KEY AIza url 35',
  'GCP_API_KEY ya29. url 60-400',
  'GCP_API_KEY GOCSPX- url 28',
  'NPM_TOKEN npm_ alnum 36',
  'PYPI_TOKEN pypi- url 85-1200',
  'PYPI_TOKEN pypi-AgE url 50-1200',
  'HUGGINGFACE_TOKEN hf_,api_org_ alnum 34-37',
  'SENDGRID_KEY SG. dot 66',
  'TWILIO_KEY SK,AC Hex 32',
  'API_KEY shpat_,shpca_,shppa_,shpss_ Hex 32',
  'API_KEY dop_v1_,doo_v1_,dor_v1_ hex 64',
  'API_KEY dp.pt.,dp.ct.,dp.sa.,dp.said.,dp.scim.,dp.audit. alnum 40-44',
  'API_KEY dp.st. dot 40-80',
  'API_KEY hvs.,hvb.,hvr. url 24-220',
  'API_KEY glsa_ url 41',
  'API_KEY glc_ base64 32-400',
  'API_KEY dapi hex 32-34',
  'API_KEY lin_api_ alnum 40',
  'API_KEY NRAK-,NRII-,NRJS-,NRIQ- url 19-40',
  'API_KEY PMAK- url 59',
  'API_KEY PMAT- url 26',
  'API_KEY pscale_tkn_,pscale_pw_,pscale_oauth_ dot 32-64',
  'API_KEY pul- hex 40',
  'API_KEY rubygems_ hex 48',
  'API_KEY rdme_ lower 70',
  'API_KEY xkeysib-,xsmtpsib- url 81',
  'API_KEY sntrys_ dot 80-300',
  'API_KEY sntryu_ hex 64',
  'API_KEY shippo_live_,shippo_test_ Hex 40',
  'API_KEY squ_,sqp_,sqa_ hex 40',
  'API_KEY sgp_ url 40-64',
  'API_KEY sq0atp-,sq0csp-,sq0idp- url 22-43',
  'API_KEY EAAA url 60',
  'API_KEY EAACEdEose0cBA,EAAM,EAAC alnum 60-300',
  'API_KEY tskey-api-,tskey-auth-,tskey-client-,tskey-scim-,tskey-webhook- url 20-64',
  'API_KEY tfp_ dot 59',
  'API_KEY figd_ url 40-44',
  'API_KEY sbp_,sbp_oauth_ hex 40',
  'API_KEY gsk_ alnum 52',
  'API_KEY xai- alnum 80',
  'API_KEY r8_ alnum 37',
  'API_KEY pplx- alnum 48-56',
  'API_KEY lsv2_pt_,lsv2_sk_ url 43',
  'API_KEY pcsk_ url 60-80',
  'API_KEY CFPAT- url 43',
  'API_KEY dckr_pat_,dckr_oat_ url 27-40',
  'API_KEY CCIPAT_,CCIPRJ_ url 40-80',
  'API_KEY bkua_ alnum 40-60',
  'API_KEY bkaa_ alnum 40-80',
  'API_KEY access-sandbox-,access-development-,access-production- url 36',
  'API_KEY rzp_live_,rzp_test_ alnum 14',
  'API_KEY ATATT3,ATCTT3 dot 60-260',
  'API_KEY ATBB alnum 32',
  'API_KEY AKCp alnum 69',
  'API_KEY cmVmdGtu alnum 56',
  'API_KEY AGE-SECRET-KEY-1 upper 58',
  'API_KEY p8e- hex 32',
  'API_KEY LTAI alnum 12-24',
  'API_KEY CLOJARS_ hex 60',
  'API_KEY duffel_test_,duffel_live_ url 43',
  'API_KEY dt0c01.,dt0s01.,dt0s16. dot 89-96',
  'API_KEY EZAK,EZTK alnum 54',
  'API_KEY FLWSECK_TEST-,FLWPUBK_TEST-,FLWSECK-,FLWPUBK- url 14-36',
  'API_KEY fo1_ url 43',
  'API_KEY fm2_,fm1r_,fm1a_ base64 80-700',
  'API_KEY fio-u- url 64',
  'API_KEY pat-na1-,pat-eu1- url 36',
  'API_KEY HRKU-AA url 58',
  'API_KEY ico- alnum 32',
  'API_KEY s4t2ud-,s4t2af- hex 64',
  'API_KEY key-,pubkey- hex 32',
  'API_KEY pk.eyJ,sk.eyJ,tk.eyJ dot 60-200',
  'API_KEY ntn_ alnum 43-50',
  'API_KEY secret_ alnum 43',
  'API_KEY sha256~ url 43',
  'API_KEY pnu_ lower 36',
  'API_KEY sm_aat_,sm_pat_,sm_sat_ alnum 16',
  'API_KEY nfp_ alnum 36-44',
  'API_KEY napi_ lower 48-70',
  'API_KEY oy2 lower 43',
  'API_KEY cio alnum 32',
  'API_KEY SCW upper 17',
  'API_KEY sl. url 60-200',
  'API_KEY re_ url 32-36',
  'API_KEY ops_eyJ dot 250-1200',
  'API_KEY nvapi- url 64-70',
  'API_KEY phc_,phx_,phs_,pha_,phr_ alnum 40-48',
  'API_KEY AQVN url 35-38',
  'API_KEY YC url 38',
  'API_KEY t1. dot 88-400',
  'API_KEY y0_,y1_,y2_,y3_ url 55',
  'API_KEY ysc2_ alnum 48',
  'API_KEY live_pk_,live_sk_,test_pk_,test_sk_ alnum 24-60',
  'API_KEY b_ url 44',
  'API_KEY v1.0- url 171',
  'API_KEY cfk_,cfut_,cfat_ word 41-64',
  'API_KEY packagist_ort_,packagist_out_,packagist_uut_ hex 68',
  'API_KEY xaat-,xapt- url 36',
];

export const vendorTokens: readonly VendorToken[] = ROWS.flatMap((row) => {
  const [tag = '', prefixes = '', alphabet = '', size = ''] = row.split(' ');
  const [min = '', max = min] = size.split('-');
  return prefixes.split(',').map((prefix) => ({
    tag: tagId(tag),
    prefix,
    alphabet: ALPHABETS[alphabet] as number,
    min: Number(min),
    max: Number(max),
    isShort: prefix.length < 4 && !/^(?:hex|Hex|upper|lower)$/.test(alphabet),
    isFaint: tag === 'API_KEY' && /^[A-Za-z0-9]+$/.test(prefix),
  }));
});
