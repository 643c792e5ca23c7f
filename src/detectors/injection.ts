/**
 * Phrases that ask a model to drop its instructions, in RE2 syntax. Opt-in: patterns find at best 44 % of published
 * jailbreaks and almost none of the instructions hidden in documents; they are a hint, not a defence.
 */
export const INJECTION_PATTERNS: readonly string[] = [
  '(?i)\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:all\\s+|any\\s+|of\\s+)?(?:the\\s+|your\\s+|my\\s+|these\\s+)?(?:previous|prior|above|earlier|preceding|initial|original|system|existing)\\s+(?:instructions?|prompts?|rules|directions|directives|messages?|context|guidelines|commands)',
  '(?i)\\b(?:ignore|disregard|forget)\\s+(?:everything|all)\\s+(?:above|before|you(?:\\s+were|\\s+have\\s+been|\\x27ve\\s+been)\\s+told|previously)',
  '(?i)\\b(?:reveal|show|print|repeat|output|display|tell\\s+me)\\s+(?:me\\s+)?(?:your|the)\\s+(?:full\\s+|entire\\s+|hidden\\s+|initial\\s+)?(?:system\\s+prompt|system\\s+message|initial\\s+instructions|hidden\\s+instructions|developer\\s+message)',
  '(?i)\\byou\\s+are\\s+(?:now\\s+)?(?:in\\s+)?(?:DAN\\b|developer\\s+mode|jailbroken|an?\\s+unrestricted\\s+(?:ai|model|assistant))',
  '(?i)\\b(?:pretend|act)\\s+(?:that\\s+)?(?:as\\s+if\\s+)?you\\s+(?:have|had)\\s+no\\s+(?:restrictions|rules|guidelines|limits|filters)',
  '(?i)(?:<\\|im_start\\|>|\\[/?INST\\]|<<SYS>>|###\\s*(?:system|instructions?)\\s*:)',
  '(?i)\\bdo\\s+anything\\s+now\\b',
  '(?i)\\b(?:ignore|disregard|forget|bypass|override|leave)\\s+(?:all\\s+|any\\s+|all\\s+of\\s+)?(?:of\\s+)?(?:your\\s+)?(?:own\\s+)?(?:instructions|guidelines|programming|safety\\s+\\w+|content\\s+(?:filters?|polic(?:y|ies)))(?:\\s+(?:before|above|and)\\b|\\s*[.!,]|$)',
  '(?i)\\b(?:do\\s+not|don\\x27t|never|must\\s+not|stop)\\s+(?:follow(?:ing)?|obey(?:ing)?|pay(?:ing)?\\s+attention\\s+to)\\s+(?:any\\s+of\\s+)?(?:the\\s+|your\\s+)(?:previous|prior|above|earlier|original|system)?\\s*(?:instructions|rules|guidelines|prompts?)',
  '(?i)\\b(?:ignore|disregard|forget)\\s+(?:what|everything|all)\\s+(?:i|we|they|you)\\s+(?:have\\s+)?(?:said|told|wrote|written)',
  '(?i)\\b(?:disregard|ignore|instead\\s+of)\\s+(?:all\\s+of\\s+)?the\\s+above\\s*(?:and|,|[.!]|$)',
  '(?i)\\b(?:what\\s+(?:is|was|were|are)|repeat|output|print|reveal|show\\s+me|tell\\s+me|summari[sz]e|leak)\\s+(?:all\\s+(?:of\\s+)?)?your\\s+(?:full\\s+|exact\\s+|secret\\s+|hidden\\s+|initial\\s+|original\\s+|system\\s+)*(?:prompt|instructions|rules|system\\s+message)\\b',
  '(?i)\\b(?:repeat|print|output|copy)\\s+(?:me\\s+)?(?:the\\s+(?:text|words|prompt)|everything)\\s+above\\s+(?:this|verbatim|word)',
  '(?i)\\b(?:jailbreak|unrestricted|unfiltered)\\s+(?:mode|ai\\b)',
  '(?i)\\b(?:vergiss|vergessen\\s+sie|ignoriere|ignorieren\\s+sie|missachte)\\s+(?:bitte\\s+)?(?:alles,?\\s+was\\s+(?:du|ich)|(?:alle|die|deine)\\s+(?:\\p{L}+en\\s+)?(?:anweisungen|instruktionen|befehle|regeln|aufgaben))',
  '(?i)\\b(?:ignora|olvida|ignore[zr]?|oublie[zr]?|ignorar|esque[cç]a)\\s+(?:tod[ao]s\\s+|toutes?\\s+|tutte\\s+)?(?:las\\s+|les\\s+|le\\s+|as\\s+)?(?:instrucciones|instructions|istruzioni|instru[cç][oõ]es|consignes)\\s+(?:anteriores|previas|pr[ée]c[ée]dentes|precedenti)',
];
