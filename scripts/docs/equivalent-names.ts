import { kinds } from '../../src/detectors/kinds/taxonomy.ts';

// The table of equivalent names in docs/data-tags.md; printed by `npm run -s docs -- data-tags` after that of the tags.

/**
 * By tag: the names in Presidio, Google's Sensitive Data Protection, Amazon Comprehend and Microsoft Purview; `-` for none. Presidio's are those of its
 * recognisers' tests, Google's those of its infoTypes, Comprehend's those of its API; Purview's are titles of its definitions.
 */
const ROWS = `
EMAIL_ADDRESS|EMAIL_ADDRESS|EMAIL_ADDRESS|EMAIL|-
PHONE_NUMBER|PHONE_NUMBER|PHONE_NUMBER|PHONE|-
USERNAME|-|-|USERNAME|-
US_SSN|US_SSN|US_SOCIAL_SECURITY_NUMBER|SSN|U.S. social security number (SSN)
US_ITIN|US_ITIN|US_INDIVIDUAL_TAXPAYER_IDENTIFICATION_NUMBER|US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER|U.S. individual taxpayer identification number (ITIN)
US_EIN|-|US_EMPLOYER_IDENTIFICATION_NUMBER|-|-
CA_SIN|CA_SIN|CANADA_SOCIAL_INSURANCE_NUMBER|CA_SOCIAL_INSURANCE_NUMBER|Canada social insurance number
MX_CURP|-|MEXICO_CURP_NUMBER|-|Mexico Unique Population Registry Code (CURP)
BR_CPF|-|BRAZIL_CPF_NUMBER|-|Brazil CPF number
BR_CNPJ|-|-|-|Brazil legal entity number (CNPJ)
AR_DNI|-|ARGENTINA_DNI_NUMBER|-|Argentina national identity (DNI) number
AR_CUIT|-|-|-|Argentina Unique Tax Identification Key (CUIT/CUIL)
CL_RUT|-|CHILE_CDI_NUMBER|-|Chile identity card number
CO_CEDULA|-|COLOMBIA_CDC_NUMBER|-|-
UK_NINO|UK_NINO|UK_NATIONAL_INSURANCE_NUMBER|UK_NATIONAL_INSURANCE_NUMBER|U.K. national insurance number (NINO)
FR_NIR|-|FRANCE_NIR|-|France social security number (INSEE)
FR_CNI|-|FRANCE_CNI|-|France national id card (CNI)
FR_SPI|-|FRANCE_TAX_IDENTIFICATION_NUMBER|-|France tax identification number
DE_TAX_ID|DE_TAX_ID|GERMANY_TAXPAYER_IDENTIFICATION_NUMBER|-|Germany tax identification number
DE_SOCIAL_SECURITY|DE_SOCIAL_SECURITY|-|-|-
DE_ID_CARD|DE_ID_CARD|GERMANY_IDENTITY_CARD_NUMBER|-|Germany identity card number
NL_BSN|-|NETHERLANDS_BSN_NUMBER|-|Netherlands citizen's service (BSN) number
IE_PPSN|-|IRELAND_PPSN|-|Ireland personal public service (PPS) number
ES_NIF|ES_NIF|SPAIN_NIF_NUMBER|-|Spain DNI
ES_NIE|ES_NIE|SPAIN_NIE_NUMBER|-|-
IT_FISCAL_CODE|IT_FISCAL_CODE|ITALY_FISCAL_CODE|-|Italy fiscal code
FI_PERSONAL_IDENTITY_CODE|FI_PERSONAL_IDENTITY_CODE|FINLAND_NATIONAL_ID_NUMBER|-|Finland national ID
SE_PERSONNUMMER|SE_PERSONNUMMER|SWEDEN_NATIONAL_ID_NUMBER|-|Sweden national ID
BE_NATIONAL_NUMBER|-|BELGIUM_NATIONAL_ID_CARD_NUMBER|-|Belgium national number
CH_AHV|-|SWITZERLAND_SOCIAL_SECURITY_NUMBER|-|Switzerland SSN AHV number
AT_SVNR|-|-|-|Austria social security number
PT_CITIZEN_CARD|-|PORTUGAL_CDC_NUMBER|-|Portugal citizen card number
PT_NIF|-|-|-|Portugal tax identification number
DK_CPR|-|DENMARK_CPR_NUMBER|-|Denmark personal identification number
BG_EGN|-|-|-|Bulgaria uniform civil number
CZ_SK_BIRTH_NUMBER|-|-|-|Czech personal identity number
EE_ISIKUKOOD|-|-|-|Estonia Personal Identification Code
GR_AMKA|-|-|-|Greece Social Security Number (AMKA)
GR_AFM|-|-|-|Greece tax identification number
HU_TAJ|-|-|-|Hungary social security number (TAJ)
HU_PERSONAL_ID|-|-|-|Hungary personal identification number
LV_PERSONAS_KODS|-|-|-|Latvia personal code
LT_ASMENS_KODAS|-|-|-|Lithuania personal code
RO_CNP|-|-|-|Romania personal numeric code (CNP)
NO_FODSELSNUMMER|-|NORWAY_NI_NUMBER|-|Norway identification number
PL_PESEL|PL_PESEL|POLAND_PESEL_NUMBER|-|Poland national ID (PESEL)
HR_OIB|-|CROATIA_PERSONAL_ID_NUMBER|-|Croatia personal identification (OIB) number
SG_NRIC_FIN|SG_NRIC_FIN|SINGAPORE_NATIONAL_REGISTRATION_ID_NUMBER|-|Singapore national registration identity card (NRIC) number
IN_AADHAAR|IN_AADHAAR|INDIA_AADHAAR_INDIVIDUAL|IN_AADHAAR|India unique identification (Aadhaar) number
IN_PAN|IN_PAN|INDIA_PAN_INDIVIDUAL|IN_PERMANENT_ACCOUNT_NUMBER|India permanent account number (PAN)
KR_RRN|KR_RRN|KOREA_RRN|-|South Korea resident registration number
TH_TNIN|TH_TNIN|THAILAND_NATIONAL_ID_NUMBER|-|Thai population identification code
ID_NIK|-|INDONESIA_NIK_NUMBER|-|Indonesia identity card (KTP) number
MY_NRIC|-|-|-|Malaysia identification card number
CN_RESIDENT_ID|-|CHINA_RESIDENT_ID_NUMBER|-|China resident identity card (PRC) number
JP_MY_NUMBER|-|JAPAN_INDIVIDUAL_NUMBER|-|Japan My Number - Personal
HK_HKID|-|HONG_KONG_ID_NUMBER|-|Hong Kong identity card (HKID) number
TW_NATIONAL_ID|-|TAIWAN_ID_NUMBER|-|Taiwan national identification number
ZA_ID_NUMBER|ZA_ID_NUMBER|SOUTH_AFRICA_ID_NUMBER|-|South Africa identification number
TR_NATIONAL_ID|TR_NATIONAL_ID|TURKEY_ID_NUMBER|-|Turkey national identification number
IL_NATIONAL_ID|-|ISRAEL_IDENTITY_CARD_NUMBER|-|Israel national identification number
AU_TFN|AU_TFN|AUSTRALIA_TAX_FILE_NUMBER|-|Australia tax file number
AU_ABN|AU_ABN|-|-|Australia business number
AU_ACN|AU_ACN|-|-|Australia company number
AU_MEDICARE|AU_MEDICARE|AUSTRALIA_MEDICARE_NUMBER|-|Australia medical account number
PASSPORT|-|PASSPORT|PASSPORT_NUMBER|-
US_PASSPORT|US_PASSPORT|US_PASSPORT|PASSPORT_NUMBER|U.S./U.K. passport number
UK_PASSPORT|UK_PASSPORT|UK_PASSPORT|PASSPORT_NUMBER|U.S./U.K. passport number
DE_PASSPORT|DE_PASSPORT|GERMANY_PASSPORT|PASSPORT_NUMBER|Germany passport number
FR_PASSPORT|-|FRANCE_PASSPORT|PASSPORT_NUMBER|France passport number
ES_PASSPORT|ES_PASSPORT|SPAIN_PASSPORT|PASSPORT_NUMBER|Spain passport number
CN_PASSPORT|-|CHINA_PASSPORT|PASSPORT_NUMBER|-
JP_PASSPORT|-|JAPAN_PASSPORT|PASSPORT_NUMBER|Japan passport number
KR_PASSPORT|KR_PASSPORT|KOREA_PASSPORT|PASSPORT_NUMBER|-
IN_PASSPORT|IN_PASSPORT|INDIA_PASSPORT|PASSPORT_NUMBER|-
IT_PASSPORT|IT_PASSPORT|ITALY_PASSPORT|PASSPORT_NUMBER|Italy passport number
US_DRIVER_LICENSE|US_DRIVER_LICENSE|US_DRIVERS_LICENSE_NUMBER|DRIVER_ID|U.S. driver's license number
UK_DRIVER_LICENSE|UK_DRIVING_LICENCE|UK_DRIVERS_LICENSE_NUMBER|DRIVER_ID|U.K. driver's license number
DRIVER_LICENSE|-|DRIVERS_LICENSE_NUMBER|DRIVER_ID|-
IT_DRIVER_LICENSE|IT_DRIVER_LICENSE|-|DRIVER_ID|Italy driver's license number
IT_IDENTITY_CARD|IT_IDENTITY_CARD|-|-|-
IT_VAT_CODE|IT_VAT_CODE|-|-|Italy value added tax number
EU_VAT_NUMBER|-|VAT_NUMBER|-|-
IMEI|-|IMEI_HARDWARE_ID|-|-
VEHICLE_ID|-|VEHICLE_IDENTIFICATION_NUMBER|VEHICLE_IDENTIFICATION_NUMBER|-
LICENSE_PLATE|-|-|LICENSE_PLATE|-
DATE_OF_BIRTH|-|DATE_OF_BIRTH|-|-
PERSON|PERSON|PERSON_NAME|NAME|All full names
LOCATION|LOCATION|LOCATION|-|-
COORDINATES|-|LOCATION_COORDINATES|-|-
NRP|NRP|-|-|-
ORGANIZATION|ORGANIZATION|ORGANIZATION_NAME|-|-
STREET_ADDRESS|-|STREET_ADDRESS|ADDRESS|All Physical Addresses
CREDIT_CARD|CREDIT_CARD|CREDIT_CARD_NUMBER|CREDIT_DEBIT_NUMBER|Credit card number
CARD_SECURITY_CODE|-|CVV_NUMBER|CREDIT_DEBIT_CVV|-
CARD_EXPIRY|-|CREDIT_CARD_EXPIRATION_DATE|CREDIT_DEBIT_EXPIRY|-
PIN|-|-|PIN|-
IBAN_CODE|IBAN_CODE|IBAN_CODE|INTERNATIONAL_BANK_ACCOUNT_NUMBER|International banking account number (IBAN)
ABA_ROUTING_NUMBER|ABA_ROUTING_NUMBER|US_BANK_ROUTING_MICR|BANK_ROUTING|ABA routing number
US_BANK_NUMBER|US_BANK_NUMBER|-|BANK_ACCOUNT_NUMBER|U.S. bank account number
BIC_SWIFT|-|SWIFT_CODE|SWIFT_CODE|SWIFT code
CRYPTO|CRYPTO|-|-|-
AWS_ACCESS_KEY|-|AWS_CREDENTIALS|AWS_ACCESS_KEY|Amazon S3 Client Secret Access Key
AWS_SECRET_KEY|-|AWS_CREDENTIALS|AWS_SECRET_KEY|Amazon S3 Client Secret Access Key
GITHUB_TOKEN|-|-|-|GitHub Personal Access Token
SLACK_TOKEN|-|-|-|Slack access token
GCP_API_KEY|-|GCP_API_KEY|-|Google API key
AZURE_SECRET|-|AZURE_AUTH_TOKEN|-|Azure AD client secret
JWT|-|JSON_WEB_TOKEN|-|JSON Web Token
PRIVATE_KEY|-|ENCRYPTION_KEY|-|X.509 certificate private key
CONNECTION_STRING|-|-|-|SQL Server connection string
PASSWORD|-|PASSWORD|PASSWORD|General password
API_KEY|-|AUTH_TOKEN|-|Client secret / API key
PASSWORD_HASH|-|WEAK_PASSWORD_HASH|-|-
SIGNED_URL|-|STORAGE_SIGNED_URL|-|Azure SAS
US_MBI|US_MBI|US_MEDICARE_BENEFICIARY_ID_NUMBER|-|Medicare Beneficiary Identifier (MBI) card
US_NPI|US_NPI|US_HEALTHCARE_NPI|-|-
MEDICAL_LICENSE|MEDICAL_LICENSE|US_DEA_NUMBER|-|Drug Enforcement Agency (DEA) number
UK_NHS|UK_NHS|UK_NATIONAL_HEALTH_SERVICE_NUMBER|UK_NATIONAL_HEALTH_SERVICE_NUMBER|U.K. national health service number
MRN|-|MEDICAL_RECORD_NUMBER|-|-
ICD10_CODE|-|ICD10_CODE|-|International classification of diseases (ICD-10-CM)
IP_ADDRESS|IP_ADDRESS|IP_ADDRESS|IP_ADDRESS|IP address
MAC_ADDRESS|MAC_ADDRESS|MAC_ADDRESS|MAC_ADDRESS|-
URL|URL|URL|URL|-
`;

const rows = ROWS.trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => (cell === '-' ? '' : cell)));
const known = new Set(kinds.map(({ tag }) => tag));
const unknown = rows.map(([tag = '']) => tag).filter((tag) => !known.has(tag));
if (unknown.length > 0) throw new RangeError(`no such tag: ${unknown.join(', ')}`);

export const equivalentNames = [
  '| Tag | Presidio | Google Sensitive Data Protection | Amazon Comprehend | Microsoft Purview |',
  '|---|---|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
].join('\n');
