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
}

const ALPHABETS: Readonly<Record<string, number>> = {
  hex: A.LOWER_HEX,
  Hex: A.ANY_HEX,
  upper: A.UPPER_DIGIT,
  lower: A.LOWER_DIGIT,
  alnum: A.ALPHANUMERIC,
  url: A.BASE64_URL,
  base64: A.BASE64,
};

/**
 * Formats as the vendors document them (sources in docs/data-tags.md): prefixes, alphabet, length of the body.
 */
const ROWS: readonly string[] = [
  'AWS_ACCESS_KEY AKIA,ASIA,ABIA,ACCA upper 16',
  'GITHUB_TOKEN ghp_,gho_,ghu_,ghs_,ghr_ alnum 36-251',
  'GITHUB_TOKEN github_pat_ url 82',
  'GITLAB_TOKEN glpat-,gldt-,glrt-,glptt-,glft-,glsoat-,glimt-,glagent-,gloas-,glcbt-,glffct- url 20-64',
  'SLACK_TOKEN xoxb-,xoxp-,xoxa-,xoxr-,xoxs-,xoxo-,xoxe-,xapp-,xoxe.xoxb-,xoxe.xoxp- url 20-300',
  'STRIPE_KEY sk_live_,sk_test_,rk_live_,rk_test_,whsec_ alnum 24-247',
  'ANTHROPIC_KEY sk-ant-api03-,sk-ant-admin01-,sk-ant-oat01- url 80-120',
  'OPENAI_KEY sk-proj-,sk-svcacct-,sk-admin-,sk-None- url 40-200',
  'OPENAI_KEY sk- alnum 48',
  'GCP_API_KEY AIza url 35',
  'NPM_TOKEN npm_ alnum 36',
  'PYPI_TOKEN pypi-AgE url 50-400',
  'HUGGINGFACE_TOKEN hf_,api_org_ alnum 34-37',
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
  }));
});
