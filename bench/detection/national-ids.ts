/** A national identifier with how people label it, its JSON key, how its digits are grouped, and valid (made-up) values. */
export interface NationalId {
  tag: string;
  label: string;
  key: string;
  /** Sizes of its groups and what stands between them; empty for one word. */
  groups: string;
  values: readonly string[];
}

/** Values that another implementation of the published rules, or the publisher's own example, calls valid. */
export const NATIONAL_IDS: readonly NationalId[] = [
  {
    tag: 'US_SSN',
    label: 'social security number',
    key: 'ssn',
    groups: '3-2-4',
    values: ['406418870', '705039463', '100295216', '682040294', '347814326'],
  },
  {
    tag: 'US_EIN',
    label: 'employer identification number',
    key: 'ein',
    groups: '2-7',
    values: ['804771492', '883589807', '659980871', '424257315', '310861588'],
  },
  {
    tag: 'MX_CURP',
    label: 'CURP',
    key: 'curp',
    groups: '',
    values: [
      'FYUQ831222MPLBYPW8',
      'XFNV260820MDFFVAN5',
      'TPMA531202MNLHMA41',
      'MWVC270601HYNSLT17',
      'NPLV231221XQTGXAF1',
    ],
  },
  {
    tag: 'MX_RFC',
    label: 'RFC',
    key: 'rfc',
    groups: '',
    values: ['XIQL980915E42', 'VYQD2007063J3', 'QCPQ190110PI8', 'IPWB080304EH6', 'CWPZ960906HW7'],
  },
  {
    tag: 'BR_CPF',
    label: 'CPF',
    key: 'cpf',
    groups: '3.3.3-2',
    values: ['63699684121', '06466610780', '00846603179', '04105977164', '71660569672'],
  },
  {
    tag: 'BR_CNPJ',
    label: 'CNPJ',
    key: 'cnpj',
    groups: '2.3.3/4-2',
    values: ['56419168559210', '19520714638749', '38267393886078', '06462202268967', '72520900410743'],
  },
  {
    tag: 'AR_CUIT',
    label: 'CUIT',
    key: 'cuit',
    groups: '2-8-1',
    values: ['33050154837', '51831705012', '20011110690', '55590416141', '33227690432'],
  },
  {
    tag: 'CL_RUT',
    label: 'RUT',
    key: 'rut',
    groups: '8-1',
    values: ['184912317', '651006805', '213744496', '862609905', '908049861'],
  },
  {
    tag: 'CO_NIT',
    label: 'NIT',
    key: 'nit',
    groups: '9-1',
    values: ['9540867781', '0070107117', '4516133184', '1612175363', '1203488274'],
  },
  {
    tag: 'FR_NIR',
    label: 'numéro de sécurité sociale',
    key: 'numero_securite_sociale',
    groups: '1 2 2 2 3 3 2',
    values: ['105404321316006', '445406199511192', '173884645346640', '486604435506170', '337802007679963'],
  },
  {
    tag: 'DE_TAX_ID',
    label: 'Steuer-ID',
    key: 'steuer_id',
    groups: '2 3 3 3',
    values: ['40565893159', '97403654121', '41202893572', '61539204733', '12405689437'],
  },
  {
    tag: 'NL_BSN',
    label: 'BSN',
    key: 'bsn',
    groups: '',
    values: ['254337211', '607517864', '577720867', '190412227', '769922569'],
  },
  {
    tag: 'IE_PPSN',
    label: 'PPS number',
    key: 'ppsn',
    groups: '',
    values: ['4312208A', '2420948E', '6911727I', '9105260O', '9607183V'],
  },
  {
    tag: 'FR_SPI',
    label: 'numéro fiscal',
    key: 'numero_fiscal',
    groups: '2 2 3 3 3',
    values: ['0876774987165', '1941041852176', '2001320312054', '0136341904461', '3316656850108'],
  },
  {
    tag: 'ES_NIF',
    label: 'DNI',
    key: 'dni',
    groups: '',
    values: ['58020482S', '53328780Z', '02080455J', '13041438R', '65115038Z'],
  },
  {
    tag: 'FI_PERSONAL_IDENTITY_CODE',
    label: 'henkilötunnus',
    key: 'hetu',
    groups: '',
    values: ['300128W068K', '010913F4924', '040605F194Y', '030212X177B', '150612Y6364'],
  },
  {
    tag: 'BE_NATIONAL_NUMBER',
    label: 'rijksregisternummer',
    key: 'rijksregisternummer',
    groups: '2.2.2-3.2',
    values: ['25040492720', '19100819167', '10020839605', '70031747422', '03121120430'],
  },
  {
    tag: 'CH_AHV',
    label: 'AHV-Nummer',
    key: 'ahv_nummer',
    groups: '3.4.4.2',
    values: ['7560206888626', '7561736741795', '7560030734922', '7562362409189', '7569092196082'],
  },
  {
    tag: 'AT_SVNR',
    label: 'Sozialversicherungsnummer',
    key: 'svnr',
    groups: '4 6',
    values: ['1981090211', '5442100554', '3241120496', '9344110247', '3686040317'],
  },
  {
    tag: 'PT_NIF',
    label: 'número de contribuinte',
    key: 'contribuinte',
    groups: '3 3 3',
    values: ['119040522', '719430216', '110234014', '963605569', '391213970'],
  },
  {
    tag: 'PT_CITIZEN_CARD',
    label: 'cartão de cidadão',
    key: 'cartao_cidadao',
    groups: '',
    values: ['071208089CK1', '6708016873K1', '190721419P38', '040963016KG4'],
  },
  {
    tag: 'GR_AMKA',
    label: 'ΑΜΚΑ',
    key: 'amka',
    groups: '',
    values: ['19010907491', '18081345151', '26118592968', '26013671248', '05053442744'],
  },
  {
    tag: 'GR_AFM',
    label: 'ΑΦΜ',
    key: 'afm',
    groups: '',
    values: ['088504191', '815049297', '907910777', '487983698', '321767086'],
  },
  {
    tag: 'DK_CPR',
    label: 'CPR-nummer',
    key: 'cpr',
    groups: '6-4',
    values: ['2112188045', '1710216705', '0401953323', '1010727811', '1108472846'],
  },
  {
    tag: 'NO_FODSELSNUMMER',
    label: 'fødselsnummer',
    key: 'fodselsnummer',
    groups: '6 5',
    values: ['19491126194', '19490626746', '23492490571', '26100890541', '08022518888'],
  },
  {
    tag: 'PL_PESEL',
    label: 'PESEL',
    key: 'pesel',
    groups: '',
    values: ['55022824167', '25040856622', '12091223202', '19030225048', '87102212896'],
  },
  {
    tag: 'PL_NIP',
    label: 'NIP',
    key: 'nip',
    groups: '3-3-2-2',
    values: ['1806180436', '8190204128', '5712041914', '9026389478', '2701179493'],
  },
  {
    tag: 'CZ_SK_BIRTH_NUMBER',
    label: 'rodné číslo',
    key: 'rodne_cislo',
    groups: '',
    values: ['0808245482', '5806287080', '1960101737', '9078204762', '1909052233'],
  },
  {
    tag: 'EE_ISIKUKOOD',
    label: 'isikukood',
    key: 'isikukood',
    groups: '',
    values: ['21912021090', '32801280735', '53002077790', '22508039207', '42110088440'],
  },
  {
    tag: 'LT_ASMENS_KODAS',
    label: 'asmens kodas',
    key: 'asmens_kodas',
    groups: '',
    values: ['18102099850', '41806197140', '41906050511', '11705175252', '51604276327'],
  },
  {
    tag: 'RO_CNP',
    label: 'CNP',
    key: 'cnp',
    groups: '',
    values: ['8540124143346', '8950630209592', '7110804124258', '9130518441151', '9510323290570'],
  },
  {
    tag: 'BG_EGN',
    label: 'ЕГН',
    key: 'egn',
    groups: '',
    values: ['9249223707', '8145093071', '8992207005', '4161095068', '9351080703'],
  },
  {
    tag: 'HR_OIB',
    label: 'OIB',
    key: 'oib',
    groups: '',
    values: ['90020748940', '76155933124', '75010489070', '47245059050', '19880105433'],
  },
  {
    tag: 'JMBG',
    label: 'JMBG',
    key: 'jmbg',
    groups: '',
    values: ['1910924188251', '0811951123399', '0605011492303', '1310016285547', '0207928766199'],
  },
  {
    tag: 'IN_PAN',
    label: 'PAN',
    key: 'pan',
    groups: '',
    values: ['XJDCW9028Z', 'KPXAZ4126L', 'JLZFD9505C', 'HUVPE1771N', 'YWFPV2430N'],
  },
  {
    tag: 'KR_RRN',
    label: '주민등록번호',
    key: 'rrn',
    groups: '6-7',
    values: ['8905041043822', '1910021873158', '7810202710013', '6208021231916', '1709224627330'],
  },
  {
    tag: 'TH_TNIN',
    label: 'เลขประจำตัวประชาชน',
    key: 'tnin',
    groups: '1-4-5-2-1',
    values: ['1140979885911', '2201948407358', '8608610955656', '6413921793390', '8239080611097'],
  },
  {
    tag: 'MY_NRIC',
    label: 'MyKad',
    key: 'mykad',
    groups: '6-2-4',
    values: ['370226748151', '321203312561', '081228064222', '270730360711', '830119908216'],
  },
  {
    tag: 'CN_RESIDENT_ID',
    label: '身份证号',
    key: '身份证号',
    groups: '',
    values: [
      '766969197302133973',
      '408694194006234733',
      '676373196709204812',
      '660439195410268302',
      '210117199310193091',
    ],
  },
  {
    tag: 'HK_HKID',
    label: 'HKID',
    key: 'hkid',
    groups: '',
    values: ['G8405041', 'C6200751', 'Y4878831', 'T2408052', 'W6316940'],
  },
  {
    tag: 'ZA_ID_NUMBER',
    label: 'South African ID',
    key: 'sa_id',
    groups: '',
    values: ['4503270458192', '1511239574085', '1802143744090', '7406117176182', '8205250961080'],
  },
  {
    tag: 'TR_NATIONAL_ID',
    label: 'T.C. kimlik no',
    key: 'tckn',
    groups: '',
    values: ['83798699458', '19400709550', '80838834282', '56746256348', '77783110936'],
  },
  {
    tag: 'IL_NATIONAL_ID',
    label: 'תעודת זהות',
    key: 'teudat_zehut',
    groups: '',
    values: ['172119398', '264091406', '916331655', '552811895', '048131387'],
  },
  {
    tag: 'AU_ACN',
    label: 'ACN',
    key: 'acn',
    groups: '3 3 3',
    values: ['221708961', '011563063', '674477037', '522178641', '582113835'],
  },
  {
    tag: 'IT_VAT_CODE',
    label: 'partita IVA',
    key: 'partita_iva',
    groups: '',
    values: ['90512750309', '50907100825', '92602040989', '67429010233', '01361620121'],
  },
  { tag: 'JP_MY_NUMBER', label: 'マイナンバー', key: 'my_number', groups: '4 4 4', values: ['123456789018'] },
  { tag: 'TW_NATIONAL_ID', label: '身分證字號', key: '身分證字號', groups: '', values: ['A123456789'] },
  { tag: 'ID_NIK', label: 'NIK', key: 'nik', groups: '', values: ['3171011708450001', '3201124507910003'] },
  {
    tag: 'LV_PERSONAS_KODS',
    label: 'personas kods',
    key: 'personas_kods',
    groups: '6-5',
    values: ['16117519997'],
  },
  {
    tag: 'HU_PERSONAL_ID',
    label: 'személyi azonosító',
    key: 'szemelyi_azonosito',
    groups: '1-6-4',
    values: ['18501011229'],
  },
  { tag: 'HU_TAJ', label: 'TAJ szám', key: 'taj', groups: '3 3 3', values: ['111111110'] },
  { tag: 'HU_TAX_ID', label: 'adóazonosító jel', key: 'adoazonosito', groups: '', values: ['8071592153'] },
  { tag: 'IN_AADHAAR', label: 'Aadhaar', key: 'aadhaar', groups: '4 4 4', values: ['312345678909'] },
  { tag: 'SG_NRIC_FIN', label: 'NRIC', key: 'nric', groups: '', values: ['S2740116C'] },
  {
    tag: 'IT_FISCAL_CODE',
    label: 'codice fiscale',
    key: 'codice_fiscale',
    groups: '',
    values: ['RSSMRA85T10A562S'],
  },
  { tag: 'UK_NINO', label: 'NI number', key: 'nino', groups: '', values: ['AB123456C'] },
  { tag: 'UK_NHS', label: 'NHS number', key: 'nhs_number', groups: '3 3 4', values: ['4010232137'] },
  { tag: 'CA_SIN', label: 'SIN', key: 'sin', groups: '3-3-3', values: ['130692544'] },
  { tag: 'AU_TFN', label: 'TFN', key: 'tfn', groups: '3 3 3', values: ['876543210'] },
  { tag: 'AU_ABN', label: 'ABN', key: 'abn', groups: '2 3 3 3', values: ['51824753556'] },
  {
    tag: 'AU_MEDICARE',
    label: 'Medicare number',
    key: 'medicare_number',
    groups: '4 5 1',
    values: ['2123456701'],
  },
  {
    tag: 'SE_PERSONNUMMER',
    label: 'personnummer',
    key: 'personnummer',
    groups: '6-4',
    values: ['8712202384'],
  },
  {
    tag: 'DE_SOCIAL_SECURITY',
    label: 'Rentenversicherungsnummer',
    key: 'rvnr',
    groups: '',
    values: ['15070649C103'],
  },
  { tag: 'ES_NIE', label: 'NIE', key: 'nie', groups: '', values: ['X9613851N'] },
  { tag: 'IMEI', label: 'IMEI', key: 'imei', groups: '', values: ['490154203237518'] },
];

/** The value in its groups. */
export function grouped({ groups }: NationalId, value: string): string {
  let at = 0;
  return groups === ''
    ? value
    : groups.replace(/\d+/g, (size) => {
        at += Number(size);
        return value.slice(at - Number(size), at);
      });
}

/** The ways an identifier stands in what agents pass on; each gives an input that has the value. */
export const CONTEXTS: Readonly<Record<string, (id: NationalId, value: string) => unknown>> = {
  'JSON key': ({ key }, value) => ({ customer: { [key]: value } }),
  'label and colon': ({ label }, value) => ({ note: `${label}: ${value}` }),
  'CSV with header': ({ key }, value) => ({ csv: `id,name,${key},city\n1,Jane Roe,${value},Springfield` }),
  'sentence, word before': ({ label }, value) => ({
    text: `For the contract, the ${label} is ${value}, please check it.`,
  }),
  'sentence, word after': ({ label }, value) => ({
    text: `Please check ${value} (${label}) for the contract.`,
  }),
  'Markdown table': ({ label }, value) => ({
    text: `| Name | ${label} |\n|---|---|\n| Jane Roe | ${value} |`,
  }),
  XML: ({ key }, value) => ({ xml: `<person><name>Jane</name><${key}>${value}</${key}></person>` }),
  'SQL insert': ({ key }, value) => ({
    sql: `INSERT INTO person (name, ${key}) VALUES ('Jane Roe', '${value}')`,
  }),
  'form field': ({ key }, value) => ({ body: `name=Jane&${key}=${encodeURIComponent(value)}&ok=1` }),
  'log line': ({ key }, value) => ({
    line: `2026-01-12T03:04:05Z INFO signup user=jane ${key}=${value} status=ok`,
  }),
};
