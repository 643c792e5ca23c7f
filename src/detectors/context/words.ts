/**
 * Words and pairs of words that name a kind of value, in lower case without accents; `_` joins a pair.
 * The same words, found in a JSON key, count for its whole value.
 */
export const WORDS: Readonly<Record<string, string>> = {
  PHONE_NUMBER:
    'phone phones telephone tel mobile mobil cell cellphone fax call calling callback contact reach whatsapp sms dial ' +
    'answering hotline landline voicemail office_phone handy telefon telefono telefone telefoon telephone ' +
    'movil celular cellulare cellulari puhelin portable rufnummer telefonnummer handynummer phonenumber msisdn ' +
    'whats_app please_text text_me text_us lost_ring please_ring ring_me ring_us ring_on texted pager switchboard ' +
    'helpline fon viber telefonu телефон тел 电话 手机 電話 전화 전화번호 numero_telefono',
  US_SSN:
    'ssn ssns socialsecurity social_security socialsecuritynumber ss_number ssnumber taxpayer_id ssid_number',
  US_ITIN: 'itin individual_taxpayer taxpayer_id tax_id taxid taxpayer',
  US_PASSPORT: 'passport passports passportnumber travel_document',
  US_DRIVER_LICENSE:
    'driver_license s_license s_licence drivers_license driver_licence drivers_licence driving_license driving_licence driverlicense ' +
    'driverslicense dl_number dlnumber driving_permit license_number licence_number',
  UK_NINO: 'nino national_insurance insurance_number ni_number nationalinsurance ninumber',
  CA_SIN: 'sin nas social_insurance socialinsurance assurance_sociale sin_number canadian',
  AU_TFN: 'tfn tax_file taxfile taxfilenumber',
  AU_ABN: 'abn australian_business business_number',
  ES_NIF: 'nif dni documento_nacional identificacion identificacion_fiscal',
  ES_NIE: 'nie extranjero identificacion_extranjero numero_identificacion',
  IT_FISCAL_CODE: 'codice_fiscale codicefiscale fiscal_code fiscalcode cf',
  PL_PESEL: 'pesel',
  DE_TAX_ID:
    'steuer_id steueridentifikationsnummer identifikationsnummer idnr steuernummer steuerid tin tax_id taxid steuer',
  FI_PERSONAL_IDENTITY_CODE: 'hetu henkilotunnus personal_identity personbeteckning finnish',
  SE_PERSONNUMMER: 'personnummer pnr personal_identity swedish samordningsnummer personnr',
  SG_NRIC_FIN: 'nric fin singapore identity_card',
  IN_AADHAAR: 'aadhaar aadhar adhaar uidai uid_number',
  IN_PAN: 'pan permanent_account pancard pan_card income_tax',
  KR_RRN: 'rrn resident_registration korean 주민등록번호 주민번호',
  TR_NATIONAL_ID: 'tckn kimlik tc_kimlik turkish turk vatandaslik tcno tc',
  TH_TNIN: 'tnin thai thailand เลขประจำตัวประชาชน เลขบัตรประชาชน',
  ZA_ID_NUMBER: 'south_african rsa_id sa_id rsa permanent_resident refugee_id south_africa za_id said',
  BR_CPF: 'cpf cadastro_de cadastro',
  FR_NIR: 'nir securite_sociale numero_de insee secu',
  NL_BSN: 'bsn burgerservicenummer sofinummer sofi burger',
  DATE_OF_BIRTH:
    'dob birthdate birthday birth dateofbirth date_birth born o_b geburtsdatum geboren naissance nacimiento nascita ' +
    'geboortedatum nascimento born_on fodelsedatum',
  CREDIT_CARD:
    'card cards creditcard credit_card debit cardnumber card_number cc ccnumber pan visa mastercard amex american_express ' +
    'discover diners jcb maestro unionpay kreditkarte tarjeta carte carta kartennummer cardno ccnum',
  IBAN_CODE: 'iban bank_account',
  ABA_ROUTING_NUMBER: 'aba routing rtn routingnumber routing_number bank_routing transit',
  US_BANK_NUMBER:
    'bank_account account_number accountnumber acct checking savings acct_number bankaccount account_no accountno ' +
    'bank_number checking_account savings_account direct_deposit',
  BIC_SWIFT: 'bic swift swiftcode swift_code biccode bic_code',
  CRYPTO: 'wallet bitcoin btc eth ethereum crypto walletaddress blockchain usdt tron',
  US_MBI: 'mbi medicare medicare_beneficiary beneficiary',
  US_NPI: 'npi provider_identifier national_provider provider prescriber',
  MEDICAL_LICENSE: 'dea dea_number certificate medical_license medical_certificate prescriber',
  UK_NHS: 'nhs nhs_number national_health nhsnumber',
  MRN: 'mrn medical_record medicalrecord medicalrecordnumber patient_id patientid chart_number patient_number record_number',
  HEALTH_PLAN_ID:
    'member_id memberid subscriber_id subscriberid health_plan healthplan insurance_id policy_holder group_number ' +
    'insurance_member beneficiary_id plan_id medicaid member_number',
  ICD10_CODE: 'icd icd10 icd_10 icd10cm diagnosis_code diagnosiscode diagnosis dx dx_code icdcode',
  IP_ADDRESS: 'ip ipaddress ip_address ipv4 ipv6 host server client_ip addr cidr subnet',
  MAC_ADDRESS: 'mac macaddress mac_address bssid ethernet hwaddr',
};

/** Words after which a long number is an order, a measure or a counter; in balanced mode they outweigh its shape. */
export const NEGATIVE_WORDS =
  'order orders orderid tracking trackingnumber trace traceid span spanid timestamp ts seq sequence offset snowflake tweet ' +
  'build imei isbn ean upc gtin sku barcode serial lot nonce hash checksum sha md5 price amount total bytes size ' +
  'duration elapsed invoice ticket commit revision epoch cursor batch shipment parcel awb item product part model ' +
  'version ver rev firmware release issn doi asin imsi transaction transactions txn';

/** Words after which four dotted numbers are a version, not an address. */
export const VERSION_WORDS =
  'version versions ver v rev revision firmware build release sdk driver upgrade downgrade';

/** Words that say a number follows, not which: enough for numbers formatted as telephone numbers. */
export const NUMBER_WORDS = 'number num nummer numero numéro no nr';

/** Words after a number that make it a telephone number: "089 72 63 41 office". */
export const AFTER_PHONE_WORDS =
  'office mobile fax cell phone telephone tel landline home work direct mobil handy';

/** Words before the number of a room, house or box. */
export const UNIT_WORDS = 'suite apt apartment unit room floor box house psc';

/** Words for an identity number of any country: its own checksum then tells which. */
export const IDENTITY_WORDS =
  'national_id national_identity nationalid identity_number identity_no personal_id personalid citizen_id citizenid id_card';
export const IDENTITY_TAGS =
  'PL_PESEL TR_NATIONAL_ID TH_TNIN ZA_ID_NUMBER NL_BSN ES_NIF SE_PERSONNUMMER IN_AADHAAR KR_RRN BR_CPF';
