/**
 * Phrases that ask a model to drop its instructions, in RE2 syntax. Opt-in: patterns find at best 44 % of published
 * jailbreaks and almost none of the instructions hidden in documents; they are a hint, not a defence.
 */
export const INJECTION_PATTERNS: readonly string[] = [
  '(?i)\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:all\\s+|any\\s+|of\\s+)?(?:the\\s+|your\\s+|my\\s+|these\\s+)?(?:previous|prior|above|earlier|preceding|initial|original|system|existing)\\s+(?:instructions?|prompts?|rules|directions|messages?|context|guidelines|commands)',
  '(?i)\\b(?:ignore|disregard|forget)\\s+(?:everything|all)\\s+(?:above|before|you(?:\\s+were|\\s+have\\s+been|\\x27ve\\s+been)\\s+told|previously)',
  '(?i)\\b(?:reveal|show|print|repeat|output|display|tell\\s+me)\\s+(?:me\\s+)?(?:your|the)\\s+(?:full\\s+|entire\\s+|hidden\\s+|initial\\s+)?(?:system\\s+prompt|system\\s+message|initial\\s+instructions|hidden\\s+instructions|developer\\s+message)',
  '(?i)\\byou\\s+are\\s+(?:now\\s+)?(?:in\\s+)?(?:DAN\\b|developer\\s+mode|jailbroken|an?\\s+unrestricted\\s+(?:ai|model|assistant))',
  '(?i)\\b(?:pretend|act)\\s+(?:that\\s+)?(?:as\\s+if\\s+)?you\\s+(?:have|had)\\s+no\\s+(?:restrictions|rules|guidelines|limits|filters)',
  '(?i)(?:<\\|im_start\\|>|\\[/?INST\\]|<<SYS>>|###\\s*system\\s*:)',
  '(?i)\\bdo\\s+anything\\s+now\\b',
];
